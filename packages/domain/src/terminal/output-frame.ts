/** A piece of a terminal's output, sent to a browser. `offset` counts the bytes the terminal printed before it. */
export type OutputFrame = {
  readonly kind: OutputKind;
  readonly terminalId: string;
  readonly offset: number;
  readonly output: Uint8Array;
};

/** `output` is what the program printed; `modes` sets an empty screen to the modes that were active at `offset`. */
export type OutputKind = 'output' | 'modes';

/** A reader acknowledges output at least this often. The server counts up to this much unacknowledged as shown. */
export const ackEveryBytes = 32 * 1024;

const kinds: readonly OutputKind[] = ['output', 'modes'];
const maxIdLength = 255;
const offsetLength = 8;

/** The bytes before the output: one for the kind, one for the length of the id, the id, and eight for the offset. */
export function encodeFrameHead({ kind, terminalId, offset }: Omit<OutputFrame, 'output'>): Uint8Array<ArrayBuffer> {
  const length = terminalId.length;
  if (length > maxIdLength) throw new RangeError('The id of a terminal is too long for a frame');
  const head = new Uint8Array(2 + length + offsetLength);
  head[0] = kinds.indexOf(kind) + 1;
  head[1] = length;
  for (let place = 0; place < length; place += 1) head[2 + place] = terminalId.charCodeAt(place);
  new DataView(head.buffer).setBigUint64(2 + length, BigInt(offset));
  return head;
}

/** Null if the bytes aren't such a frame. The output is a view of the given bytes. */
export function decodeOutputFrame(frame: Uint8Array): OutputFrame | null {
  const kind = kinds[(frame[0] ?? 0) - 1];
  const length = frame[1] ?? 0;
  const start = 2 + length + offsetLength;
  if (!kind || frame.length < start) return null;
  const terminalId = String.fromCharCode(...frame.subarray(2, 2 + length));
  const offset = Number(new DataView(frame.buffer, frame.byteOffset + 2 + length, offsetLength).getBigUint64(0));
  return Number.isSafeInteger(offset) ? { kind, terminalId, offset, output: frame.subarray(start) } : null;
}
