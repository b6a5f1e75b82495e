import { fuzzyMatches, fuzzyScore, nameStartOf } from './fuzzy-score.ts';

/** Paths prepared for searching at every key press. */
export type FuzzyIndex = {
  readonly paths: readonly string[];
  readonly lower: readonly string[];
  /** Which characters a path has at all, as bits: one comparison rules most paths out. */
  readonly masks: Int32Array;
  readonly nameStarts: Int32Array;
};

export type FuzzyFind = { readonly path: string; readonly matches: readonly number[] };

export function fuzzyIndex(paths: readonly string[]): FuzzyIndex {
  const lower = paths.map((path) => sameLength(path, path.toLowerCase()));
  return { paths, lower, masks: Int32Array.from(lower, maskOf), nameStarts: Int32Array.from(lower, nameStartOf) };
}

/** The best fits, best first; of equals the shorter path, then by name. */
export function fuzzyFind(index: FuzzyIndex, query: string, limit: number): FuzzyFind[] {
  const typed = query.toLowerCase().replace(/\s+/g, '');
  const wanted = maskOf(typed);
  const best: { readonly score: number; readonly at: number }[] = [];
  for (let at = 0; at < index.lower.length; at += 1) {
    if ((wanted & ~(index.masks[at] ?? 0)) !== 0) continue;
    const worst = best.length === limit ? (best.at(-1)?.score ?? -Infinity) : -Infinity;
    const score = fuzzyScore(typed, index.lower[at] ?? '', index.nameStarts[at], worst);
    if (score === null || score <= worst) continue;
    insert(best, { score, at });
    if (best.length > limit) best.pop();
  }
  return best.map(({ at }) => ({
    path: index.paths[at] ?? '',
    matches: fuzzyMatches(typed, index.lower[at] ?? ''),
  }));
}

/** A few hundred at most are kept, so a place is found by halving and nothing is ever sorted. */
function insert<T extends { readonly score: number }>(best: T[], entry: T): void {
  let from = 0;
  let to = best.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((best[middle]?.score ?? 0) >= entry.score) from = middle + 1;
    else to = middle;
  }
  best.splice(from, 0, entry);
}

/** Letters and digits by their own bit, everything else by one. */
function maskOf(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) mask |= 1 << (26 + ((code - 48) >> 1));
    else mask |= 1 << 31;
  }
  return mask;
}

/** A few letters change their length in lower case; a place in one must be a place in the other. */
const sameLength = (path: string, lower: string): string => (lower.length === path.length ? lower : path);
