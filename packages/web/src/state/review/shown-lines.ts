import type { LineRange } from '../../rendering/diff/line-ref.ts';
import type { Patch } from '../../rendering/diff/patch.ts';
import type { ReviewState } from './review-state.ts';

const patchOf = ({ bodies, whole }: ReviewState, path: string): Patch | null => {
  const body = bodies.get(path);
  return whole.get(path) ?? (body?.phase === 'ready' ? body.patch : null);
};

/** The shown text of some lines; null unless all of them are shown. */
export function shownText(state: ReviewState, path: string, { side, from, to }: LineRange): string | null {
  const patch = patchOf(state, path);
  if (patch === null) return null;
  const texts: string[] = [];
  for (let number = from; number <= to; number += 1) {
    const place = patch.find(side, number);
    if (place < 0) return null;
    texts.push(patch.line(place).text);
  }
  return texts.join('\n');
}

/** Where these lines are now: at the same place, or at the only other place with the same text. Null if unclear. */
export function findAgain(state: ReviewState, path: string, range: LineRange, text: string): LineRange | null {
  if (shownText(state, path, range) === text) return range;
  const patch = patchOf(state, path);
  const numbers = (range.side === 'old' ? patch?.index.oldLines : patch?.index.newLines) ?? [];
  const found: LineRange[] = [];
  for (const number of numbers) {
    const moved = { side: range.side, from: number, to: number + range.to - range.from };
    if (number > 0 && shownText(state, path, moved) === text) found.push(moved);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}
