import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { noTabs, shownTabs } from './tabs.ts';
import { createTabsStore } from './tabs-store.ts';

describe('tabs-store', () => {
  it('opens a session once', () => {
    const tabs = createTabsStore(memoryStorage());
    tabs.show('a');
    tabs.show('b');
    tabs.show('a');
    expect(tabs.get()).toMatchObject({ open: ['a', 'b'], active: 'a' });
  });

  it('shows the neighbour when the active tab closes', () => {
    const tabs = createTabsStore(memoryStorage());
    ['a', 'b', 'c'].forEach((id) => tabs.show(id));
    tabs.show('b');
    tabs.close('b');
    expect(tabs.get().active).toBe('c');
    tabs.close('c');
    expect(tabs.get().active).toBe('a');
    tabs.close('a');
    expect(tabs.get()).toEqual(noTabs);
  });

  it('wraps around in both directions', () => {
    const tabs = createTabsStore(memoryStorage());
    ['a', 'b', 'c'].forEach((id) => tabs.show(id));
    tabs.step(1);
    expect(tabs.get().active).toBe('a');
    tabs.step(-1);
    expect(tabs.get().active).toBe('c');
  });

  it('moves a tab, but never past the ends', () => {
    const tabs = createTabsStore(memoryStorage());
    ['a', 'b', 'c'].forEach((id) => tabs.show(id));
    tabs.move('a', 1);
    expect(tabs.get().open).toEqual(['b', 'a', 'c']);
    tabs.move('a', 9);
    expect(tabs.get().open).toEqual(['b', 'c', 'a']);
  });

  it('is restored after a reload, whatever was stored', () => {
    const storage = memoryStorage();
    const tabs = createTabsStore(storage);
    ['a', 'b'].forEach((id) => tabs.show(id));
    expect(createTabsStore(storage).get()).toMatchObject({ open: ['a', 'b'], active: 'b' });
    storage.write('liminal.tabs', '{"open":["a","a",4],"active":"gone"}');
    expect(createTabsStore(storage).get()).toMatchObject({ open: ['a'], active: 'a' });
    storage.write('liminal.tabs', 'null');
    expect(createTabsStore(storage).get()).toEqual(noTabs);
  });

  it('shows two side by side while one of them is active, and one when the other closes', () => {
    const tabs = createTabsStore(memoryStorage());
    ['a', 'b', 'c'].forEach((id) => tabs.show(id));
    tabs.show('a');
    tabs.showBeside('c');
    expect(shownTabs(tabs.get())).toEqual(['a', 'c']);
    tabs.show('b');
    expect(shownTabs(tabs.get())).toEqual(['b']);
    tabs.show('a');
    expect(shownTabs(tabs.get())).toEqual(['a', 'c']);
    tabs.close('c');
    expect(tabs.get()).toMatchObject({ active: 'a', splits: [] });
  });

  it('can’t split with itself when it is alone', () => {
    const tabs = createTabsStore(memoryStorage());
    tabs.show('a');
    tabs.showBeside('a');
    expect(tabs.get()).toEqual({ open: ['a'], active: 'a', splits: [] });
  });

  it('reads the splits of earlier versions', () => {
    const storage = memoryStorage();
    const split = { left: 'b', right: 'a', ratio: 0.3 };
    storage.write('liminal.tabs', JSON.stringify({ open: ['a', 'b', 'c'], active: 'a', split }));
    expect(shownTabs(createTabsStore(storage).get())).toEqual(['b', 'a']);
    expect(
      createTabsStore(storage)
        .get()
        .splits[0]?.columns.map(({ share }) => share),
    ).toEqual([0.3, 0.7]);
  });

  it('opens a tab after another one, and shows it at any edge of a third', () => {
    const tabs = createTabsStore(memoryStorage());
    ['a', 'b'].forEach((id) => tabs.show(id));
    tabs.show('file', 'a');
    expect(tabs.get().open).toEqual(['a', 'file', 'b']);
    tabs.showBeside('b', 'left', 'a');
    tabs.showBeside('file', 'bottom', 'a');
    expect(shownTabs(tabs.get())).toEqual(['b', 'a', 'file']);
    tabs.takeOut('file');
    expect(tabs.get()).toMatchObject({ active: 'b', open: ['a', 'file', 'b'] });
    expect(shownTabs(tabs.get())).toEqual(['b', 'a']);
  });

  it('keeps the split of each pair', () => {
    const tabs = createTabsStore(memoryStorage());
    ['a', 'b', 'c', 'd'].forEach((id) => tabs.show(id));
    tabs.showBeside('b', 'right', 'a');
    tabs.showBeside('d', 'bottom', 'c');
    expect(shownTabs(tabs.get())).toEqual(['c', 'd']);
    tabs.show('a');
    expect(shownTabs(tabs.get())).toEqual(['a', 'b']);
  });

  it('shows another file in the same tab, or in the one that already has it', () => {
    const tabs = createTabsStore(memoryStorage());
    ['a', 'one', 'two'].forEach((id) => tabs.show(id));
    tabs.rename('two', 'three');
    expect(tabs.get()).toMatchObject({ open: ['a', 'one', 'three'], active: 'three' });
    tabs.rename('three', 'one');
    expect(tabs.get()).toMatchObject({ open: ['a', 'one'], active: 'one' });
  });
});
