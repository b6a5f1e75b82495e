/** A change, as far as its size goes. */
type Measured = { readonly payload: object };

// Every subscriber asks about the same payload, so it is measured once. Payloads are never changed, only replaced.
const measured = new WeakMap<object, number>();

/**
 * About how many bytes a state takes as JSON: the lengths of its texts, without looking into them. Good enough to
 * bound memory by; the texts themselves are shared between all subscribers.
 */
export function approximateBytes(body: Measured): number {
  const known = measured.get(body.payload);
  if (known !== undefined) return known;
  const bytes = envelopeBytes + measure(body.payload);
  measured.set(body.payload, bytes);
  return bytes;
}

/** `type`, `sessionId`, `epoch` and `seq` around every payload. */
export const envelopeBytes = 120;

/** About how many characters any value has as JSON. */
export const approximateLength = (value: unknown): number => measure(value);

function measure(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return value.reduce<number>((bytes, entry) => bytes + measure(entry), 2);
  return Object.entries(value).reduce((bytes, [name, field]) => bytes + name.length + 3 + measure(field), 2);
}
