import type { DiffLine } from '@liminal/domain/diff/line-diff';

/** A line of a change by its side and number. */
export type LineRef = { readonly side: 'old' | 'new'; readonly line: number };
/** Lines of one side, from the first to the last. */
export type LineRange = { readonly side: LineRef['side']; readonly from: number; readonly to: number };

/** How to refer to a line: a removed one on the old side, any other on the new side. */
export function refOf({ kind, oldLine, newLine }: DiffLine): LineRef | null {
  if (kind === 'removed') return oldLine === undefined ? null : { side: 'old', line: oldLine };
  return newLine === undefined ? null : { side: 'new', line: newLine };
}

export const isIn = (range: LineRange | null | undefined, ref: LineRef | null): boolean =>
  range !== null &&
  range !== undefined &&
  ref !== null &&
  range.side === ref.side &&
  range.from <= ref.line &&
  ref.line <= range.to;

/** Another click: with Shift held it extends the range, otherwise it starts over. */
export function extendRange(range: LineRange | null | undefined, ref: LineRef, isShift: boolean): LineRange {
  if (!isShift || range === null || range === undefined || range.side !== ref.side)
    return { side: ref.side, from: ref.line, to: ref.line };
  return { side: ref.side, from: Math.min(range.from, ref.line), to: Math.max(range.to, ref.line) };
}
