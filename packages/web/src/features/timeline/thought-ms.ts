import type { UpsertObject } from '@liminal/contracts';

/**
 * How long the agent thought, in milliseconds. Agents report no start, so it counts from the end of the item before it
 * on the same level; 0 where there is none.
 */
export function thoughtMs(itemsOfTurn: readonly UpsertObject[], itemId: string): number {
  const place = itemsOfTurn.findIndex((item) => item.itemId === itemId);
  const thought = itemsOfTurn[place];
  if (thought === undefined) return 0;
  const before = itemsOfTurn.slice(0, place).findLast((item) => item.parentCallId === thought.parentCallId);
  if (before === undefined) return 0;
  return Math.max(0, Date.parse(thought.emittedAt) - Date.parse(before.emittedAt));
}
