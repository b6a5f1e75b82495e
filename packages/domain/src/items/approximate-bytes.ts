/** The parts of a change that determine its size. */
type Measured = { readonly payload: object };

/**
 * The approximate size of a state as JSON: the lengths of its texts, without scanning them. Good enough for memory
 * limits; all subscribers share the texts themselves.
 */
export const approximateBytes = (body: Measured): number => envelopeBytes + measure(body.payload);

/** `type`, `sessionId`, `epoch` and `seq` around every payload. */
export const envelopeBytes = 120;

/** The approximate length of any value as JSON. */
export const approximateLength = (value: unknown): number => measure(value);

function measure(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const entry of value) bytes += measure(entry);
    return bytes;
  }
  // Payloads are plain objects without inherited properties.
  for (const name in value) bytes += name.length + 3 + measure((value as Record<string, unknown>)[name]);
  return bytes;
}
