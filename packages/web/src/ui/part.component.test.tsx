import { act, Suspense, type ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { render } from '../testing/render.tsx';
import { createTestPage } from '../testing/test-page.ts';
import { createPart, type Part } from './part.tsx';

const Greeting = ({ name }: { readonly name: string }): ReactNode => <p>Hello {name}</p>;
const show = (Shown: Part<{ name: string }>) =>
  render(
    createTestPage(),
    <Suspense fallback={<p>Loading</p>}>
      <Shown name="Ada" />
    </Suspense>,
  );

describe('a part of the page', () => {
  it('appears at once if its code has arrived before', async () => {
    const part = createPart(() => Promise.resolve({ default: Greeting }));
    await part.load();
    // Outside `act`, which would wait for a fallback to go.
    const seen: string[] = [];
    const watch = new MutationObserver(() => seen.push(document.body.textContent));
    watch.observe(document.body, { childList: true, subtree: true });
    await show(part);
    watch.disconnect();
    expect(document.body.textContent).toBe('Hello Ada');
    expect(seen.filter((text) => text.includes('Loading'))).toEqual([]);
  });

  it('shows the fallback until its code arrives', async () => {
    const code = Promise.withResolvers<{ default: typeof Greeting }>();
    await show(createPart(() => code.promise));
    expect(document.body.textContent).toBe('Loading');
    await act(async () => code.resolve({ default: Greeting }));
    expect(document.body.textContent).toBe('Hello Ada');
  });

  it('fetches its code again after a failed attempt', async () => {
    let attempts = 0;
    const part = createPart(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('offline');
      return { default: Greeting };
    });
    await expect(part.load()).rejects.toThrow('offline');
    await show(part);
    expect(document.body.textContent).toBe('Hello Ada');
  });
});
