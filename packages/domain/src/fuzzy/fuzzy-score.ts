/** Where the last name of a path starts; a folder's path ends with a slash. */
export const nameStartOf = (path: string): number => path.lastIndexOf('/', path.length - 2) + 1;

/**
 * How well the typed text matches a path; higher is better, `null` is no match. Both are in lower case. A match that
 * can't be better than `best` may also be `null`: that excludes most paths early.
 */
export function fuzzyScore(
  typed: string,
  path: string,
  nameStart = nameStartOf(path),
  best = -Infinity,
): number | null {
  if (typed === '') return -path.length;
  const whole = wholeScore(typed, path, nameStart, best);
  if (whole !== null) return whole - path.length;
  if (best >= mostLoose(typed)) return null;
  const found = places(typed, path, nameStart);
  return found && looseScore(found, typed.length, path, nameStart) - path.length;
}

/** Indices of the typed characters in the path, for highlighting. */
export function fuzzyMatches(typed: string, path: string): number[] {
  if (typed === '') return [];
  const nameStart = nameStartOf(path);
  const inName = wordStart(typed, path, nameStart);
  const inPath = inName >= 0 ? inName : wordStart(typed, path, 0);
  const at = inPath >= 0 ? inPath : path.lastIndexOf(typed);
  if (at >= 0) return Array.from({ length: typed.length }, (_, index) => at + index);
  return [...(places(typed, path, nameStart)?.subarray(0, typed.length) ?? [])];
}

const isBreak = (code: number): boolean =>
  // Path separators: / \ _ - . and space.
  code === 47 || code === 92 || code === 95 || code === 45 || code === 46 || code === 32;

/** Matches the typed text in one piece: at the start of the name, of a word in it, of a folder's name, or anywhere. */
function wholeScore(typed: string, path: string, nameStart: number, best: number): number | null {
  if (path.startsWith(typed, nameStart)) {
    const rest = path.length - nameStart - typed.length;
    // The full name, with or without its extension, ranks before names that only start with it.
    return rest === 0 ? 12_000 : path.charCodeAt(nameStart + typed.length) === 46 ? 11_500 : 11_000;
  }
  if (best >= 10_000) return null;
  const inName = wordStart(typed, path, nameStart);
  if (inName >= 0) return 10_000 - (inName - nameStart);
  if (best >= 9_000) return null;
  const last = path.lastIndexOf(typed);
  if (last < 0) return null;
  if (wordStart(typed, path, 0) >= 0) return 9_000;
  return last >= nameStart ? 8_500 : 8_000;
}

/** The first index at or after `from` where the typed text starts a word; -1 if there is none. */
function wordStart(typed: string, path: string, from: number): number {
  for (let at = path.indexOf(typed, from); at >= 0; at = path.indexOf(typed, at + 1)) {
    if (at === 0 || isBreak(path.charCodeAt(at - 1))) return at;
  }
  return -1;
}

/** Reused for every path, because it is filled fifty thousand times per key press. */
let scratch = new Int32Array(64);

/**
 * Finds the typed characters in order: within the name if they are all there, otherwise in the whole path, from its
 * end.
 */
function places(typed: string, path: string, nameStart: number): Int32Array | null {
  if (scratch.length < typed.length) scratch = new Int32Array(typed.length * 2);
  const isFound = placesFrom(typed, path, nameStart) || (nameStart > 0 && placesFrom(typed, path, 0));
  return isFound ? scratch : null;
}

function placesFrom(typed: string, path: string, from: number): boolean {
  let at = path.length;
  for (let index = typed.length - 1; index >= 0; index -= 1) {
    const code = typed.charCodeAt(index);
    at -= 1;
    while (at >= from && path.charCodeAt(at) !== code) at -= 1;
    if (at < from) return false;
    scratch[index] = at;
  }
  return true;
}

const mostLoose = (typed: string): number => 2_000 + 60 * typed.length;

/** Consecutive characters and starts of words score higher than scattered characters. */
function looseScore(found: Int32Array, length: number, path: string, nameStart: number): number {
  let score = (found[0] ?? 0) >= nameStart ? 2_000 : 0;
  for (let index = 0; index < length; index += 1) {
    const at = found[index] ?? 0;
    const gap = index === 0 ? 0 : at - (found[index - 1] ?? 0) - 1;
    if (at === 0 || isBreak(path.charCodeAt(at - 1))) score += 60;
    else if (index > 0 && gap === 0) score += 40;
    score -= Math.min(gap, 30);
  }
  return score;
}
