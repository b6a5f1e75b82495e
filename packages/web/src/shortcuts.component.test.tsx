import { turnMessage, turnStarted } from '@liminal/domain/timeline/testing/messages';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { onShortcut } from './shortcuts.ts';
import type { FocusTargets } from './state/workbench/actions.ts';
import { createTestPage } from './testing/test-page.ts';

const focus = {} as FocusTargets;

function setup() {
  const page = createTestPage();
  const field = document.body.appendChild(document.createElement('textarea'));
  let isUsed = false;
  field.addEventListener('keydown', (event) => (isUsed = onShortcut(page.workbench, focus, event, document)));
  /** Presses a key in a text field; returns whether a shortcut used it. */
  const press = (key: string, code = key, part: KeyboardEventInit = {}): boolean => {
    field.dispatchEvent(new KeyboardEvent('keydown', { key, code, cancelable: true, ...part }));
    return isUsed;
  };
  return { ...page, press };
}

beforeEach(() => {
  localStorage.clear();
  document.body.replaceChildren();
});

describe('Escape', () => {
  it('stops the agent in view, and none that the inbox or a comparison covers', async () => {
    const { workbench, hear, callsOf, press } = setup();
    await hear((seq) => turnMessage(seq, turnStarted('t1')));
    workbench.panels.inbox.set(true);
    expect(press('Escape')).toBe(false);
    workbench.panels.inbox.set(false);
    workbench.comparing.shown.set({ compareId: 'c', comparison: null, failure: null });
    expect(press('Escape')).toBe(false);
    workbench.comparing.shown.set(null);
    expect(callsOf('session.cancel')).toHaveLength(0);
    expect(press('Escape')).toBe(true);
    expect(callsOf('session.cancel')).toHaveLength(1);
  });
});

describe('a key', () => {
  it('belongs to an input method that composes text with it', async () => {
    const { hear, callsOf, press } = setup();
    await hear((seq) => turnMessage(seq, turnStarted('t1')));
    expect(press('Escape', 'Escape', { isComposing: true })).toBe(false);
    expect(callsOf('session.cancel')).toHaveLength(0);
  });

  it('belongs to the editor that has used it', () => {
    const { press } = setup();
    expect(press('i', 'KeyI', { altKey: true })).toBe(true);
    document.querySelector('textarea')?.addEventListener('keydown', (event) => event.preventDefault(), true);
    expect(press('i', 'KeyI', { altKey: true })).toBe(false);
  });
});

describe('Alt with a key', () => {
  it('types what the keyboard of a Mac has there, instead of a shortcut', () => {
    vi.stubGlobal('navigator', { platform: 'MacIntel' });
    const { workbench, press } = setup();
    workbench.tabs.show('other');
    expect(press('|', 'Digit1', { altKey: true })).toBe(false);
    expect(press('@', 'KeyG', { altKey: true })).toBe(false);
    expect(workbench.tabs.get().active).toBe('other');
    expect(press('¡', 'Digit1', { altKey: true })).toBe(true);
    expect(workbench.tabs.get().active).toBe('s');
  });

  it('is left to the field if it is the place of no tab', () => {
    const { press } = setup();
    expect(press('1', 'Digit1', { altKey: true })).toBe(true);
    expect(press('5', 'Digit5', { altKey: true })).toBe(false);
  });
});
