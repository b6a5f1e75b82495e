import { fuzzyMatches, fuzzyScore, nameStartOf } from './fuzzy-score.ts';

/** Paths prepared for a search on every key press. */
export type FuzzyIndex = {
  readonly paths: readonly string[];
  readonly lower: readonly string[];
  /** The characters of each path as bits: one comparison excludes most paths. */
  readonly masks: Int32Array;
  readonly nameStarts: Int32Array;
};

export type FuzzyFind = { readonly path: string; readonly matches: readonly number[] };

export function fuzzyIndex(paths: readonly string[]): FuzzyIndex {
  const lower = paths.map((path) => sameLength(path, path.toLowerCase()));
  return { paths, lower, masks: Int32Array.from(lower, maskOf), nameStarts: Int32Array.from(lower, nameStartOf) };
}

/** The best matches first. Shorter paths score higher; ties keep the order of the index. */
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

/** At most a few hundred are kept, so a binary search is enough and nothing is ever sorted. */
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

/** One bit per letter, one per pair of digits, and one for everything else. */
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

/** Some letters change their length in lower case, but indices must be valid in both strings. */
const sameLength = (path: string, lower: string): string => (lower.length === path.length ? lower : path);
