import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createCell } from '../base/cell.ts';
import { createTerminalPanels } from './terminal-panels.ts';

function setup(storage = memoryStorage()) {
  const parts = {
    isShown: createCell(false),
    height: createCell(280),
    chosen: createCell<string | null>(null),
  };
  let project: string | null | undefined;
  const panels = createTerminalPanels({ ...parts, storage, project: () => project });
  const goTo = (next: string | null): void => {
    project = next;
    panels.projectChanged();
  };
  return { ...parts, panels, goTo };
}
describe('the terminal panel', () => {
  it('is restored for each project', () => {
    const { isShown, height, chosen, goTo } = setup();
    goTo('shop');
    isShown.set(true);
    height.set(400);
    chosen.set('t1');
    goTo('site');
    expect(isShown.get()).toBe(false);
    isShown.set(true);
    chosen.set('t2');
    goTo('shop');
    expect([isShown.get(), height.get(), chosen.get()]).toEqual([true, 400, 't1']);
    isShown.set(false);
    goTo('site');
    expect([isShown.get(), chosen.get()]).toEqual([true, 't2']);
  });

  it('stays open if it was opened on the first screen', () => {
    const { isShown, goTo } = setup();
    goTo(null);
    isShown.set(true);
    goTo('shop');
    expect(isShown.get()).toBe(true);
  });

  it('survives a reload, and follows the server', () => {
    const storage = memoryStorage();
    const before = setup(storage);
    before.goTo('shop');
    before.isShown.set(true);
    const after = setup(storage);
    after.goTo('shop');
    expect(after.isShown.get()).toBe(true);
    after.panels.set({ shop: { isShown: false, height: 300 } });
    expect([after.isShown.get(), after.height.get()]).toEqual([false, 300]);
  });
});
