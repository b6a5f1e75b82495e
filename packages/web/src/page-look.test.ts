import { describe, expect, it } from 'vitest';
import { pageLook } from './page-look.ts';

function setup(matches = false) {
  let notify = (): void => {};
  const media = { matches, addEventListener: (_: string, listener: () => void) => (notify = listener) };
  const dataset: DOMStringMap = {};
  const look = pageLook({ dataset }, media as never);
  return { dataset, look, setSystem: (next: boolean) => ((media.matches = next), notify()) };
}

describe('page look', () => {
  it('marks the root with the chosen values, but not with defaults', () => {
    const { dataset, look } = setup();
    look.applyTheme('dark');
    look.applyDensity('compact');
    expect(dataset).toEqual({ theme: 'dark', density: 'compact' });
    look.applyTheme('system');
    look.applyDensity('comfortable');
    expect(dataset).toEqual({});
  });

  it('uses high contrast if chosen, with the system’s light or dark scheme', () => {
    const { dataset, look } = setup();
    look.applyTheme('contrast');
    expect(dataset).toEqual({ contrast: 'more' });
  });

  it('follows the system into high contrast and back, unless a theme was chosen', () => {
    const { dataset, look, setSystem } = setup(true);
    look.applyTheme('system');
    expect(dataset).toEqual({ contrast: 'more' });
    setSystem(false);
    expect(dataset).toEqual({});
    look.applyTheme('light');
    setSystem(true);
    expect(dataset).toEqual({ theme: 'light' });
  });
});
