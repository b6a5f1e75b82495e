/** A change, as far as its size goes. */
type Measured = { readonly payload: object };

/**
 * About how many bytes a state takes as JSON: the lengths of its texts, without looking into them. Good enough to
 * bound memory by; the texts themselves are shared between all subscribers.
 */
export const approximateBytes = (body: Measured): number => envelopeBytes + measure(body.payload);

/** `type`, `sessionId`, `epoch` and `seq` around every payload. */
export const envelopeBytes = 120;

/** About how many characters any value has as JSON. */
export const approximateLength = (value: unknown): number => measure(value);

function measure(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const entry of value) bytes += measure(entry);
    return bytes;
  }
  // Payloads are plain objects: nothing is inherited.
  for (const name in value) bytes += name.length + 3 + measure((value as Record<string, unknown>)[name]);
  return bytes;
}
