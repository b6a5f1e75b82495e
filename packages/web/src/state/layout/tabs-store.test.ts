import { describe, expect, it } from 'vitest';
import { safeStorage } from '../../browser/storage.ts';
import { createTabsStore, noTabs, shownTabs } from './tabs-store.ts';

const memory = () =>
  safeStorage(() => {
    throw new Error('none');
  });

describe('tabs-store', () => {
  it('opens a session once', () => {
    const tabs = createTabsStore(memory());
    tabs.show('a');
    tabs.show('b');
    tabs.show('a');
    expect(tabs.get()).toMatchObject({ open: ['a', 'b'], active: 'a' });
  });

  it('shows the neighbour when the shown tab closes', () => {
    const tabs = createTabsStore(memory());
    ['a', 'b', 'c'].forEach(tabs.show);
    tabs.show('b');
    tabs.close('b');
    expect(tabs.get().active).toBe('c');
    tabs.close('c');
    expect(tabs.get().active).toBe('a');
    tabs.close('a');
    expect(tabs.get()).toEqual(noTabs);
  });

  it('steps round the end in both directions', () => {
    const tabs = createTabsStore(memory());
    ['a', 'b', 'c'].forEach(tabs.show);
    tabs.step(1);
    expect(tabs.get().active).toBe('a');
    tabs.step(-1);
    expect(tabs.get().active).toBe('c');
  });

  it('moves a tab, never past the ends', () => {
    const tabs = createTabsStore(memory());
    ['a', 'b', 'c'].forEach(tabs.show);
    tabs.move('a', 1);
    expect(tabs.get().open).toEqual(['b', 'a', 'c']);
    tabs.move('a', 9);
    expect(tabs.get().open).toEqual(['b', 'c', 'a']);
  });

  it('is the same after a reload, whatever was stored', () => {
    const storage = memory();
    const tabs = createTabsStore(storage);
    ['a', 'b'].forEach(tabs.show);
    expect(createTabsStore(storage).get()).toMatchObject({ open: ['a', 'b'], active: 'b' });
    storage.write('liminal.tabs', '{"open":["a","a",4],"active":"gone"}');
    expect(createTabsStore(storage).get()).toMatchObject({ open: ['a'], active: 'a' });
    storage.write('liminal.tabs', 'null');
    expect(createTabsStore(storage).get()).toEqual(noTabs);
  });

  it('shows two side by side while one of them is active, and one when the other closes', () => {
    const tabs = createTabsStore(memory());
    ['a', 'b', 'c'].forEach(tabs.show);
    tabs.show('a');
    tabs.showBeside('c');
    expect(shownTabs(tabs.get())).toEqual(['a', 'c']);
    tabs.show('b');
    expect(shownTabs(tabs.get())).toEqual(['b']);
    tabs.show('a');
    expect(shownTabs(tabs.get())).toEqual(['a', 'c']);
    tabs.close('c');
    expect(tabs.get()).toMatchObject({ active: 'a', split: null });
  });

  it('has nothing to show beside itself when it is alone', () => {
    const tabs = createTabsStore(memory());
    tabs.show('a');
    tabs.showBeside('a');
    expect(tabs.get()).toEqual({ open: ['a'], active: 'a', split: null });
  });
});
