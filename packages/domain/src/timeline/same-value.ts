import type { UpsertObject } from '@liminal/contracts';

/** Whether two JSON values are equal; an undefined field counts as missing. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  return sameFields(a, b);
}

/**
 * Whether two states of an item look the same to a user. Times are ignored: an append doesn't carry them, so appends
 * and a history would never agree on them.
 */
export function sameItem(a: UpsertObject, b: UpsertObject): boolean {
  return a === b || sameFields(a, b, timesOfTelling);
}

const timesOfTelling: ReadonlySet<string> = new Set(['emittedAt', 'sourceTimestamp']);

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function sameFields(a: Fields, b: Fields, except?: ReadonlySet<string>): boolean {
  for (const name of Object.keys(a)) if (!except?.has(name) && !sameValue(a[name], b[name])) return false;
  for (const name of Object.keys(b))
    if (a[name] === undefined && b[name] !== undefined && !except?.has(name)) return false;
  return true;
}
