import { isRecord } from '../../kit/read-json.ts';

/** Foreign JSON, read without trusting it: every reader answers with our type or with nothing. */
export type Loose = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): Loose | undefined => (isRecord(value) ? value : undefined);

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** What does not parse as a JSON object is `{}`: a broken argument must not stop the item (TC-3.3b). */
export function parseObject(json: string): Loose {
  if (json === '') return {};
  try {
    return asObject(JSON.parse(json)) ?? {};
  } catch {
    return {};
  }
}
