import type { Tokens } from 'marked';

/** So many items of a list are drawn together. */
const itemsTogether = 16;

/** A piece of a numbered list begins with the number it was written with; that has to be the right one. */
function keepsCount({ ordered, start, items }: Tokens.List, index: number): boolean {
  if (!ordered) return true;
  const written = /^\s*(\d+)/.exec(items[index]?.raw ?? '')?.[1];
  return Number(written) === Number(start) + index;
}

/** The lengths of the pieces in which a list is drawn: one that grows costs its last items then, not all of them. */
export function cutList(list: Tokens.List): readonly number[] {
  const lengths: number[] = [0];
  for (const [index, { raw }] of list.items.entries()) {
    if (index > 0 && index % itemsTogether === 0 && keepsCount(list, index)) lengths.push(0);
    lengths.push((lengths.pop() ?? 0) + raw.length);
  }
  const whole = list.raw.length;
  return lengths.reduce((sum, length) => sum + length, 0) === whole ? lengths : [whole];
}
