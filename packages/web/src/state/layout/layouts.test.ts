import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { shownTabs } from './tabs.ts';
import { createTabsStore } from './tabs-store.ts';

/** The tab `shop/1` belongs to the project `shop`, unless its project is still unknown. */
function setup(...unknown: string[]) {
  const hidden = new Set(unknown);
  const storage = memoryStorage();
  const projectOf = (tab: string) => {
    const project = /^(?:review:|file:)?(\w+)\//.exec(decodeURIComponent(tab))?.[1];
    return hidden.has(tab) ? undefined : project;
  };
  return { tabs: createTabsStore(storage, projectOf), learn: () => hidden.clear() };
}
const open = (...ids: string[]) => {
  const { tabs } = setup();
  ids.forEach((id) => tabs.show(id));
  return tabs;
};

describe('the tabs of each project', () => {
  it('are shown alone, and come back as they were', () => {
    const tabs = open('shop/1', 'shop/2', 'shop/3', 'site/1');
    tabs.show('shop/2');
    tabs.showBeside('shop/3', 'right', 'shop/2');
    tabs.show('site/1');
    expect(tabs.get()).toEqual({ open: ['site/1'], active: 'site/1', splits: [] });
    tabs.goTo('shop');
    expect(tabs.get().open).toEqual(['shop/1', 'shop/2', 'shop/3']);
    expect(shownTabs(tabs.get())).toEqual(['shop/2', 'shop/3']);
    expect(tabs.all()).toEqual(['shop/1', 'shop/2', 'shop/3', 'site/1']);
  });

  it('switch when a tab of another project is shown, wherever that was chosen', () => {
    const tabs = open('shop/1', 'site/1', 'site/2');
    tabs.show('shop/1');
    tabs.show('site/1');
    expect(tabs.get()).toMatchObject({ open: ['site/1', 'site/2'], active: 'site/1' });
  });

  it('are the only ones that keys and “close others” act on', () => {
    const tabs = open('shop/1', 'site/1', 'site/2', 'site/3');
    tabs.step(1);
    expect(tabs.get().active).toBe('site/1');
    tabs.showAt(1);
    expect(tabs.get().active).toBe('site/2');
    tabs.closeOthers('site/2');
    expect(tabs.all()).toEqual(['shop/1', 'site/2']);
  });

  it('may include a session of another project, which returns there when the split ends', () => {
    const tabs = open('site/1', 'site/2', 'shop/1');
    tabs.showBeside('site/1');
    expect(tabs.get().open).toEqual(['shop/1', 'site/1']);
    tabs.show('review:site/1', 'site/1');
    expect(tabs.get().open).toEqual(['shop/1', 'site/1', 'review:site/1']);
    tabs.close('review:site/1');
    tabs.show('site/1');
    tabs.takeOut('site/1');
    expect(tabs.get()).toMatchObject({ open: ['shop/1'], active: 'shop/1', splits: [] });
    tabs.showBeside('site/1', 'left', 'shop/1');
    tabs.show('shop/1');
    tabs.endSplit();
    expect(tabs.get()).toMatchObject({ open: ['shop/1'], active: 'shop/1' });
    tabs.goTo('site');
    expect(tabs.get()).toMatchObject({ open: ['site/2', 'site/1'], active: 'site/2' });
  });

  it('leave an empty project in view when the last one closes', () => {
    const tabs = open('shop/1', 'site/1');
    tabs.close('site/1');
    expect(tabs.get()).toEqual({ open: [], active: null, splits: [] });
    expect(tabs.layouts.get()).toMatchObject({ current: 'site', isHome: false });
  });

  it('keep the one in front while the first screen is shown', () => {
    const tabs = open('shop/1', 'shop/2', 'shop/3');
    tabs.show('shop/2');
    tabs.leave();
    expect(tabs.get()).toMatchObject({ open: ['shop/1', 'shop/2', 'shop/3'], active: null });
    tabs.close('shop/1');
    expect(tabs.get().active).toBeNull();
    tabs.goTo('shop');
    expect(tabs.get().active).toBe('shop/2');
  });

  it('close with their project, except those of other projects', () => {
    const tabs = open('site/1', 'shop/1', 'review:shop/1');
    tabs.showBeside('site/1');
    tabs.forget('shop');
    expect(tabs.all()).toEqual(['site/1']);
    expect(tabs.get().active).toBeNull();
    tabs.goTo('site');
    expect(tabs.get().active).toBe('site/1');
  });

  it('get a terminal where the user opened it', () => {
    const tabs = open('shop/1', 'site/1');
    tabs.show('terminal:t', 'site/1');
    expect(tabs.get().open).toEqual(['site/1', 'terminal:t']);
  });

  it('close what a renamed tab shows in another project', () => {
    const tabs = open('shop/1', 'site/1');
    tabs.rename('site/1', 'shop/1');
    expect(tabs.all()).toEqual(['shop/1']);
  });
});

describe('a tab whose project isn’t known yet', () => {
  it('moves to its project, with the view, when it is', () => {
    const { tabs, learn } = setup('site/new');
    ['site/1', 'shop/1', 'site/new'].forEach((id) => tabs.show(id));
    expect(tabs.get().open).toEqual(['shop/1', 'site/new']);
    const before = tabs.layouts.get();
    tabs.place();
    expect(tabs.layouts.get()).toBe(before);
    learn();
    tabs.place();
    expect(tabs.get()).toMatchObject({ open: ['site/1', 'site/new'], active: 'site/new' });
    tabs.goTo('shop');
    expect(tabs.get()).toMatchObject({ open: ['shop/1'], active: 'shop/1' });
  });

  it('moves alone if the user has gone on', () => {
    const { tabs, learn } = setup('site/new');
    ['shop/1', 'site/new', 'shop/1'].forEach((id) => tabs.show(id));
    learn();
    tabs.place();
    expect(tabs.get()).toMatchObject({ open: ['shop/1'], active: 'shop/1' });
    expect(tabs.all()).toEqual(['shop/1', 'site/new']);
  });

  it('stays where the user put it next to another one', () => {
    const { tabs, learn } = setup('site/new');
    ['shop/1', 'site/new'].forEach((id) => tabs.show(id));
    tabs.showBeside('site/new', 'right', 'shop/1');
    learn();
    tabs.place();
    expect(shownTabs(tabs.get())).toEqual(['shop/1', 'site/new']);
  });
});
