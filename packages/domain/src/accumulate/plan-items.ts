import type { PlanEntry } from '@liminal/contracts';
import type { Core } from './core.ts';
import type { Emission } from './emission.ts';
import { newItem, type ItemPlace, type PlanItem } from './open-item.ts';

export type PlanState = Omit<ItemPlace, 'late'> & { readonly entries: readonly PlanEntry[] };

export type PlanItems = {
  /** The current plan. It ends with its turn. */
  putPlan(plan: PlanState, at: number): readonly Emission[];
};

export function createPlanItems(core: Core): PlanItems {
  const findOrOpen = (plan: PlanState, at: number): PlanItem | undefined => {
    const known = core.items.find(plan.itemId);
    if (known) return known.type === 'plan' ? known : undefined;
    if (!core.mayOpen(plan)) return undefined;
    const item: PlanItem = { ...newItem(plan, at), type: 'plan', entries: [] };
    core.items.open(item);
    return item;
  };

  return {
    putPlan(plan, at) {
      const item = findOrOpen(plan, at);
      if (!item) return [];
      item.entries = plan.entries;
      item.sourceAt = at;
      return [core.items.emit(item, at)];
    },
  };
}
