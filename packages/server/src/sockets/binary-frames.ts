import { frameLength, opcodes, writeFrameHead } from './web-socket-frame.ts';

/** The longest frame of a terminal, with its headers. */
const pooledBytes = 64 * 1024 + 512;
const mostFree = 16;
const free: Buffer[] = [];

/**
 * A binary message of several parts, in a buffer that is reused after `release`. Terminal output comes in frames of
 * 64 KB: a new buffer for each one made V8 collect the whole heap every few megabytes.
 */
export function binaryFrame(parts: readonly Uint8Array[]): { readonly bytes: Buffer; readonly release: () => void } {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const whole = frameLength(length);
  const isPooled = whole <= pooledBytes;
  const buffer = (isPooled && free.pop()) || Buffer.allocUnsafeSlow(isPooled ? pooledBytes : whole);
  let offset = writeFrameHead(buffer, opcodes.binary, length);
  for (const part of parts) {
    buffer.set(part, offset);
    offset += part.length;
  }
  return {
    bytes: buffer.subarray(0, whole),
    release: () => void (isPooled && free.length < mostFree && free.push(buffer)),
  };
}
