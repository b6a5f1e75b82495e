/** Readers for values nobody vouches for: a wrong type reads as absent, never as an error. */
export type Loose = Record<string, unknown>;

export const isRecord = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asRecord = (value: unknown): Loose => (isRecord(value) ? value : {});
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const asWord = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asRecords = (value: unknown): readonly Loose[] => asList(value).filter(isRecord);
export const asTexts = (value: unknown): readonly string[] => asList(value).filter((item) => typeof item === 'string');

export const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : undefined;

export const asAmount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** An object without its absent fields, for types that tell `undefined` from absent. */
export function present<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Present<T>;
}
