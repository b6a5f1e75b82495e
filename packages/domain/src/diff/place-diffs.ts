import type { FileDiff } from '@liminal/contracts';
import { diffLines } from './line-diff.ts';

/** What is at the path of a change: a text, nothing, or something that can't be shown. */
export type FileAtPath = { readonly text: string } | 'missing' | 'unreadable';

/** Whether the change is still to come (a permission request), is done, or may be either. */
export type ChangeTime = 'before' | 'after' | 'unknown';

/** Whether its place in the file is known: an agent may send a piece of a file without line numbers. */
export const isPlaced = ({ oldStart, newStart }: FileDiff): boolean => oldStart !== undefined && newStart !== undefined;

/**
 * The changes of one file as excerpts with real line numbers and three lines of context, derived from the file's
 * current content. Changes that can't be located this way are returned unchanged.
 */
export function placeDiffs(diffs: readonly FileDiff[], file: FileAtPath, time: ChangeTime): readonly FileDiff[] {
  const [first] = diffs;
  if (first === undefined || diffs.every(isPlaced)) return diffs;
  if (file === 'unreadable') return time === 'after' ? diffs : diffs.map(replacingUnread);
  if (file === 'missing')
    return diffs.map((diff) => (diff.oldText === null ? { ...diff, oldStart: 1, newStart: 1 } : diff));
  const sides = sidesOf(diffs, file.text, time);
  return sides === null ? diffs : excerptsOf(first.path, sides.before, sides.after);
}

const replacingUnread = (diff: FileDiff): FileDiff => (diff.oldText === null ? { ...diff, overwrites: true } : diff);

/** Both states of the file, if one can be derived from the other. */
function sidesOf(
  diffs: readonly FileDiff[],
  text: string,
  time: ChangeTime,
): { readonly before: string; readonly after: string } | null {
  const done = time === 'after' ? null : apply(diffs, text);
  const undone = time === 'before' ? null : undo(diffs, text);
  // A file with exactly the new content may have been written already: its previous content is unknown.
  if (time === 'unknown' && diffs.at(-1)?.oldText === null && done === text) return null;
  const isDone = undone !== null && diffs.every(({ oldText, newText }) => newText.includes(oldText ?? ''));
  if (done !== null && !isDone) return { before: text, after: done };
  return undone === null ? null : { before: undone, after: text };
}

function apply(diffs: readonly FileDiff[], text: string): string | null {
  let result: string | null = text;
  for (const { oldText, newText, everywhere } of diffs) {
    if (oldText === null) result = newText;
    else if (everywhere)
      result = oldText !== '' && result.includes(oldText) ? result.replaceAll(oldText, () => newText) : null;
    else result = replaceOnly(result, oldText, newText);
    if (result === null) return null;
  }
  return result;
}

function undo(diffs: readonly FileDiff[], text: string): string | null {
  let result: string | null = text;
  for (const { oldText, newText, everywhere } of diffs.toReversed()) {
    // A replacement of every occurrence, or of the whole file, can't be recognised afterwards.
    result = oldText === null || everywhere ? null : replaceOnly(result, newText, oldText);
    if (result === null) return null;
  }
  return result;
}

/** Replaces a piece that occurs exactly once; null if the place is ambiguous or missing. */
function replaceOnly(text: string, piece: string, by: string): string | null {
  if (piece === '') return text === '' ? by : null;
  const at = text.indexOf(piece);
  if (at < 0 || text.indexOf(piece, at + 1) >= 0) return null;
  return text.slice(0, at) + by + text.slice(at + piece.length);
}

/** The excerpts that differ between two states of a file, with their first line numbers. */
export function excerptsOf(path: string, before: string, after: string): FileDiff[] {
  const { hunks } = diffLines(before, after);
  if (hunks.length === 0) return [lineBreakAtEnd(path, before, after)];
  return hunks.map(({ lines }) => ({
    path,
    oldText: joined(lines.filter(({ kind }) => kind !== 'added')),
    newText: joined(lines.filter(({ kind }) => kind !== 'removed')),
    oldStart: lines.find(({ oldLine }) => oldLine !== undefined)?.oldLine ?? 1,
    newStart: lines.find(({ newLine }) => newLine !== undefined)?.newLine ?? 1,
  }));
}

const joined = (lines: readonly { readonly text: string }[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** No line differs: either nothing does, or only the line break at the end of the file. */
function lineBreakAtEnd(path: string, before: string, after: string): FileDiff {
  if (before === after) return { path, oldText: '', newText: '', oldStart: 1, newStart: 1 };
  const longer = before.length > after.length ? before : after;
  const last = longer.slice(0, -1).lastIndexOf('\n') + 1;
  const line = longer.slice(0, last).split('\n').length;
  return { path, oldText: before.slice(last), newText: after.slice(last), oldStart: line, newStart: line };
}
