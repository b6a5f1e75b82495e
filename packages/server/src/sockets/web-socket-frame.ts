export const opcodes = { text: 1, binary: 2 } as const;

const fin = 0x80;
const compressed = 0x40;

/** An unmasked, unfragmented frame, as a server sends it; `write` puts its `length` payload bytes after the header. */
export function webSocketFrame(
  opcode: number,
  length: number,
  write: (target: Buffer, offset: number) => void,
  isCompressed = false,
): Buffer {
  const frame = Buffer.allocUnsafe(frameLength(length));
  write(frame, writeFrameHead(frame, opcode, length, isCompressed));
  return frame;
}

/** The length of a frame with a payload of this length. */
export const frameLength = (length: number): number => headLength(length) + length;

/** Writes the header of a frame; returns the offset of its payload. */
export function writeFrameHead(frame: Buffer, opcode: number, length: number, isCompressed = false): number {
  const offset = headLength(length);
  frame[0] = fin | (isCompressed ? compressed : 0) | opcode;
  if (offset === 2) frame[1] = length;
  else if (offset === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  return offset;
}

/** The header size for a payload of this length. */
const headLength = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10);
