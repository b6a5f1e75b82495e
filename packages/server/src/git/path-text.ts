import { isUtf8 } from 'node:buffer';
import { fieldsOf } from './nul-fields.ts';

/**
 * File names need not be UTF-8. Each byte that isn't is represented by a character of a private range, so every name
 * survives the round trip to the browser.
 */
const firstEscape = 0x10fe00;
const escape = (byte: number): string => String.fromCodePoint(firstEscape + byte);
const isEscape = (code: number): boolean => code >= firstEscape && code < firstEscape + 256;
/**
 * The bytes that every character of the private range starts with. Real characters of that range are escaped too:
 * otherwise they would decode to other bytes.
 */
const escapeLead = Buffer.from(String.fromCodePoint(firstEscape)).subarray(0, 2);

export function pathText(bytes: Buffer): string {
  if (isUtf8(bytes) && bytes.indexOf(escapeLead) < 0) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = lengthOfCharacter(bytes, at);
    if (length === 0) text += escape(bytes[at++] ?? 0);
    else {
      text += bytes.toString('utf8', at, at + length);
      at += length;
    }
  }
  return text;
}

/** The names in NUL-terminated output. If all are UTF-8, they are decoded at once, which is many times faster. */
export function pathTexts(output: Buffer): string[] {
  if (!isUtf8(output) || output.indexOf(escapeLead) >= 0) return fieldsOf(output).map(pathText);
  const names = output.toString('utf8').split('\0');
  return names.at(-1) === '' ? names.slice(0, -1) : names;
}

export function pathBytes(text: string): Buffer {
  if (!hasEscapes(text)) return Buffer.from(text, 'utf8');
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return isEscape(code) ? Buffer.of(code - firstEscape) : Buffer.from(character, 'utf8');
  });
  return Buffer.concat(parts);
}

/** A path below a folder. Bytes and not text, because no part of it need be UTF-8. */
export const pathIn = (folder: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(folder.endsWith('/') ? folder : `${folder}/`), pathBytes(path)]);

/** Whether a name can't be an argument and must be piped. */
export function hasEscapes(text: string): boolean {
  for (const character of text) if (isEscape(character.codePointAt(0) ?? 0)) return true;
  return false;
}

/** The length of the character here in bytes, or 0 if it isn't valid or is in the private range. */
function lengthOfCharacter(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const piece = bytes.subarray(at, at + length);
  if (piece.length < length || !isUtf8(piece)) return 0;
  return length === 4 && isEscape(piece.toString('utf8').codePointAt(0) ?? 0) ? 0 : length;
}
