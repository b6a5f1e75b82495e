import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { boxesOf } from './split-boxes.ts';
import { tabsOfSplit, type Edge } from './splits.ts';
import { readTabs, shownTabs } from './tabs.ts';
import { createTabsStore, type TabsStore } from './tabs-store.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const edge = fc.constantFrom<Edge>('left', 'right', 'top', 'bottom');
const place = fc.nat(4);
const step = fc.oneof(
  fc.tuple(id, fc.option(id)).map(
    ([tab, after]) =>
      (tabs: TabsStore) =>
        tabs.show(tab, after),
  ),
  fc.tuple(id, edge, fc.option(id)).map(
    ([tab, at, beside]) =>
      (tabs: TabsStore) =>
        tabs.showBeside(tab, at, beside !== null && tabs.get().open.includes(beside) ? beside : null),
  ),
  id.map((tab) => (tabs: TabsStore) => tabs.close(tab)),
  id.map((tab) => (tabs: TabsStore) => tabs.takeOut(tab)),
  id.map((tab) => (tabs: TabsStore) => tabs.closeOthers(tab)),
  fc.tuple(id, id).map(
    ([from, to]) =>
      (tabs: TabsStore) =>
        tabs.rename(from, to),
  ),
  fc.tuple(id, fc.integer({ min: -3, max: 3 })).map(
    ([tab, by]) =>
      (tabs: TabsStore) =>
        tabs.move(tab, by),
  ),
  fc.tuple(place, fc.option(place, { nil: undefined }), fc.double({ min: -2, max: 2, noNaN: true })).map(
    ([column, pane, ratio]) =>
      (tabs: TabsStore) =>
        tabs.moveBorder({ column, ...(pane !== undefined && { pane }) }, ratio),
  ),
  fc.constantFrom(1, -1).map((by) => (tabs: TabsStore) => tabs.step(by)),
  fc.constant((tabs: TabsStore) => tabs.endSplit()),
  fc.constant((tabs: TabsStore) => tabs.leave()),
);

const area = ({ width, height }: { width: number; height: number }): number => width * height;

it('stays consistent for any actions: each tab once, visible tabs are open, and panes fill the space', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const tabs = createTabsStore(memoryStorage());
      for (const take of steps) {
        take(tabs);
        const held = tabs.get();
        const { open, active, splits } = held;
        expect(new Set(open).size).toBe(open.length);
        for (const shown of shownTabs(held)) expect(open).toContain(shown);
        if (active !== null) expect(shownTabs(held)).toContain(active);
        const placed = splits.flatMap(tabsOfSplit);
        expect(new Set(placed).size).toBe(placed.length);
        for (const split of splits) {
          const { panes } = boxesOf(split);
          expect(panes.length).toBeGreaterThan(1);
          for (const { tab, box } of panes) {
            expect(open).toContain(tab);
            expect(Math.min(box.width, box.height)).toBeGreaterThan(0);
          }
          expect(panes.reduce((sum, { box }) => sum + area(box), 0)).toBeCloseTo(1, 6);
        }
        expect(readTabs(JSON.parse(JSON.stringify(held)))).toEqual(held);
      }
    }),
  );
});

it('reads any value as consistent tabs', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(id), (splits, open) => {
      const read = readTabs({ open, active: open[0], splits });
      for (const shown of shownTabs(read ?? { open: [], active: null, splits: [] })) expect(open).toContain(shown);
    }),
  );
});
