import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

const chunkBytes = 64 * 1024;
const newline = 0x0a;

/**
 * Some lines of a file, or all of it: from line `from` (counted from 0), at most `limit` lines. Reads in chunks, so a
 * large file doesn't block others, and no further than needed.
 */
export async function readLines(file: FileHandle, from = 0, limit = Number.POSITIVE_INFINITY): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const parts: string[] = [];
  let line = 0;
  for (let position = 0; line < from + limit;) {
    // A new buffer each time: the decoder may keep part of the previous one.
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    const [begin, passed] = pass(bytes, 0, from - line);
    line += passed;
    if (line < from) continue;
    const [end, taken] = pass(bytes, begin, from + limit - line);
    line += taken;
    parts.push(decoder.write(bytes.subarray(begin, end)));
  }
  return parts.join('') + decoder.end();
}

/** The offset after this many line ends, or the end of the bytes, and how many were found. */
function pass(bytes: Uint8Array, begin: number, lines: number): [place: number, passed: number] {
  if (lines <= 0) return [begin, 0];
  if (lines === Number.POSITIVE_INFINITY) return [bytes.length, 0];
  let [place, passed] = [begin, 0];
  while (place < bytes.length && passed < lines) {
    if (bytes[place] === newline) passed += 1;
    place += 1;
  }
  return [place, passed];
}
