import fc from 'fast-check';
import { Workspace } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { allTabs, viewOf, type ProjectOf } from './layouts.ts';
import { placed } from './place-tabs.ts';
import { tabsOfSplit } from './splits.ts';
import { readLayouts, toStored } from './stored-layouts.ts';
import { shownTabs } from './tabs.ts';

const projectOf: ProjectOf = (tab) => /^(\w+)\//.exec(tab)?.[1];
const pair = (left: string, right: string) => ({ left, right, ratio: 0.5 });

function read(value: object) {
  const layouts = readLayouts(value);
  if (layouts === null) throw new Error('The layouts were not read.');
  return layouts;
}

describe('the layout of earlier versions', () => {
  const older = { tabs: ['shop/1', 'site/1', 'shop/2', 'gone'], activeTab: 'site/1' };

  it('shows all its tabs until their projects are known', () => {
    expect(viewOf(read(older))).toMatchObject({ open: older.tabs, active: 'site/1' });
    expect(placed(read(older), () => undefined)).toEqual(read(older));
  });

  it('is divided over the projects, without losing a tab', () => {
    const layouts = placed(read(older), projectOf);
    expect(viewOf(layouts)).toMatchObject({ open: ['site/1'], active: 'site/1' });
    expect(layouts.byProject.get('shop')).toMatchObject({ open: ['shop/1', 'shop/2'], active: 'shop/1' });
    expect(allTabs(layouts).toSorted()).toEqual(older.tabs.toSorted());
  });

  it('keeps a split together, in the project that the user looks at', () => {
    const layouts = placed(read({ ...older, split: pair('shop/1', 'site/1') }), projectOf);
    expect(layouts.current).toBe('site');
    expect(shownTabs(viewOf(layouts))).toEqual(['shop/1', 'site/1']);
    expect(layouts.byProject.get('shop')?.open).toEqual(['shop/2']);
  });

  it('stays on the first screen, above the tabs of a project', () => {
    const layouts = placed(read({ ...older, tabs: ['shop/1', 'site/1'], activeTab: null }), projectOf);
    expect(viewOf(layouts)).toMatchObject({ open: ['shop/1'], active: null });
    expect(layouts.isHome).toBe(true);
  });
});

describe('stored layouts', () => {
  const id = fc.constantFrom('shop/1', 'shop/2', 'site/1', 'site/2', 'site/3', 'other');
  const ids = fc.uniqueArray(id);

  it('come back as they were, for any tabs in any projects', () => {
    fc.assert(
      fc.property(ids, fc.option(id), fc.option(fc.tuple(id, id)), (tabs, activeTab, split) => {
        const parts = split === null || split[0] === split[1] ? {} : { split: pair(...split) };
        const layouts = placed(read({ tabs, activeTab, ...parts }), projectOf);
        const stored = JSON.parse(JSON.stringify(toStored(layouts)));
        expect(Workspace.safeParse(stored).success).toBe(true);
        const back = read(stored);
        expect(toStored(back)).toEqual(toStored(layouts));
        expect(viewOf(back)).toEqual(viewOf(layouts));
      }),
    );
  });

  it('are made valid, whatever was stored', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), ids, (layouts, project, tabs) => {
        const back = read({ tabs, activeTab: tabs[0], project, layouts });
        const all = allTabs(back);
        expect(new Set(all).size).toBe(all.length);
        for (const { open, active, splits } of back.byProject.values()) {
          expect(open).toContain(active ?? open[0]);
          for (const tab of splits.flatMap(tabsOfSplit)) expect(open).toContain(tab);
        }
      }),
    );
    expect(readLayouts({ layouts: {} })).toBeNull();
  });

  it('have a tab in one project only', () => {
    const layouts = { shop: { tabs: ['a', 'b'], activeTab: 'b' }, site: { tabs: ['b', 'c'], activeTab: 'b' } };
    const back = read({ tabs: ['a', 'b', 'c', 'd'], activeTab: 'c', project: 'shop', layouts });
    expect([...back.byProject].map(([project, { open }]) => [project, open])).toEqual([
      ['shop', ['a', 'b']],
      ['site', ['c']],
      ['', ['d']],
    ]);
    expect(viewOf(back)).toMatchObject({ open: ['c'], active: 'c' });
  });
});
