/** Readers for external JSON: a value of the wrong type reads as absent, never as an error. */
export type Loose = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asRecord = (value: unknown): Loose => (isRecord(value) ? value : {});
export const asOptionalRecord = (value: unknown): Loose | undefined => (isRecord(value) ? value : undefined);
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const asNonEmptyString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asRecords = (value: unknown): readonly Loose[] => asList(value).filter(isRecord);
export const asTexts = (value: unknown): readonly string[] => asList(value).filter((item) => typeof item === 'string');

/** Text that is not a JSON object reads as `{}`: a broken argument must not stop the item (TC-3.3b). */
export function parseJsonObject(json: string): Loose {
  if (json === '') return {};
  try {
    return asRecord(JSON.parse(json));
  } catch {
    return {};
  }
}

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** A larger amount is a mistake; sums of smaller ones stay exact. */
const most = 1e12;

export const asAmount = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= most ? value : undefined;

export const asCount = (value: unknown): number | undefined => {
  const amount = asAmount(value);
  return amount === undefined ? undefined : Math.trunc(amount);
};

/** The entry under a name from outside; names such as "constructor" find nothing. */
export const inTable = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** An object without its undefined fields, for types that distinguish `undefined` from absent. */
export function present<T extends object>(value: T): Present<T> {
  // Runs for every message of every agent: a loop takes a third of the time of `Object.fromEntries`.
  const kept: Partial<T> = {};
  for (const name of Object.keys(value) as (keyof T)[]) if (value[name] !== undefined) kept[name] = value[name];
  return kept as unknown as Present<T>;
}
