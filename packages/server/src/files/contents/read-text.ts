import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fail, ok, type FileQuery, type FileReply, type Result } from '@liminal/contracts';
import { findInside, slashed } from './find-inside.ts';
import { fileFailure, openFolder } from './open-folder.ts';

/** Files up to this size are read whole, larger ones in parts. */
export const mostWhole = 5 * 1024 * 1024;
const usualPart = 1024 * 1024;
const sniffed = 8_000;
// Non-blocking, because opening a pipe without a writer would wait.
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a file as text, with everything needed to save it again. */
export async function readText(folder: string, query: FileQuery): Promise<Result<FileReply>> {
  const found = await findInside(folder, query.path);
  if (!found.ok) return found;
  const { root, way } = found.value;
  if (way === '') return fail('NOT_SUPPORTED', `"${query.path}" is a folder.`);
  try {
    const parent = await openFolder(root, dirname(way));
    try {
      const file = await open(parent.at(basename(way)), readFlags);
      try {
        return await readOpen(file, slashed(way), query, await mayWrite(parent.at(basename(way))));
      } finally {
        await file.close();
      }
    } finally {
      await parent.close();
    }
  } catch (error) {
    return fileFailure(error, query.path);
  }
}

const mayWrite = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

async function readOpen(
  file: FileHandle,
  path: string,
  query: FileQuery,
  writable: boolean,
): Promise<Result<FileReply>> {
  const about = await file.stat();
  if (!about.isFile()) return fail('NOT_SUPPORTED', `"${path}" isn't a file.`);
  const { size } = about;
  const isPart = query.offset !== undefined || query.length !== undefined || size > mostWhole;
  const offset = Math.min(query.offset ?? 0, size);
  const wanted = isPart ? Math.min(query.length ?? usualPart, mostWhole) : size;
  const read = await readBytes(file, offset, Math.min(wanted + longestTail, size - offset));
  const bytes = read.subarray(0, wanted + missingBytes(read.subarray(0, wanted)));
  const head = offset === 0 ? bytes.subarray(0, sniffed) : await readBytes(file, 0, Math.min(sniffed, size));
  const bom = head.subarray(0, 3).equals(byteOrderMark);
  if (head.includes(0)) {
    return ok({
      path,
      content: '',
      eol: 'none',
      bom: false,
      size,
      binary: true,
      ...locked('It is a binary file.'),
      etag: await etagOf(file, size, about),
    });
  }
  const text = isPart ? decodePart(bytes, offset, bom) : decodeWhole(bytes, bom);
  const part = isPart ? { offset, end: offset + bytes.length } : {};
  const reason = isPart
    ? 'Only a part of it is shown.'
    : text.isUtf8
      ? writable
        ? undefined
        : 'It is write-protected.'
      : "It isn't UTF-8.";
  return ok({
    path,
    content: text.content,
    eol: eolOf(text.content),
    bom,
    size,
    binary: false,
    ...(reason === undefined ? { readOnly: false } : locked(reason)),
    etag: isPart ? await etagOf(file, size, about) : hashOf(bytes),
    ...part,
  });
}

const locked = (reason: string) => ({ readOnly: true, reason });
export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function readBytes(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, offset + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

/** The etag of a file too large to read whole: its size and time. Such a file is never saved over. */
async function etagOf(file: FileHandle, size: number, about: { mtimeMs: number; ino: number }): Promise<string> {
  return size <= mostWhole ? hashOf(await readBytes(file, 0, size)) : `${size}-${about.mtimeMs}-${about.ino}`;
}

function decodeWhole(bytes: Buffer, bom: boolean): { content: string; isUtf8: boolean } {
  const text = bom ? bytes.subarray(3) : bytes;
  try {
    return { content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text), isUtf8: true };
  } catch {
    return { content: text.toString('latin1'), isUtf8: false };
  }
}

/** How many bytes may follow the first one of a UTF-8 character. */
const longestTail = 3;
const isTail = (byte = 0): boolean => (byte & 0xc0) === 0x80;

/** The number of bytes by which the last character continues after these. */
function missingBytes(bytes: Buffer): number {
  const back = [1, 2, 3].find((count) => count <= bytes.length && !isTail(bytes.at(-count)));
  if (back === undefined) return 0;
  const first = bytes.at(-back) ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return Math.max(0, length - back);
}

/** A part may begin inside a character. The character belongs to the part that it begins in. */
function decodePart(bytes: Buffer, offset: number, bom: boolean): { content: string; isUtf8: boolean } {
  let start = offset === 0 && bom ? 3 : 0;
  if (offset > 0) while (start < Math.min(longestTail, bytes.length) && isTail(bytes[start])) start += 1;
  return { content: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start)), isUtf8: true };
}

/** Detects the line endings. */
export function eolOf(text: string): FileReply['eol'] {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  const cr = text.split('\r').length - 1 - crlf;
  const kinds = [crlf, lf, cr].filter((count) => count > 0).length;
  if (kinds === 0) return 'none';
  if (kinds > 1) return 'mixed';
  return crlf > 0 ? 'crlf' : lf > 0 ? 'lf' : 'cr';
}
