import type { DiffLine } from './line-diff.ts';

/** One row of a change: a line before and after, or a line that exists on one side only. */
export type DiffPair = { readonly old?: DiffLine; readonly new?: DiffLine };

/** Above this many comparisons, comparing every line with every other takes too long. */
const mostComparisons = 40_000;
const leastAlike = 0.4;
/** Up to this many removed lines are shown as one block; in a longer run each line is shown with its replacement. */
const shortRun = 6;

/** The rows of a hunk for two columns: unchanged lines on both sides, replaced lines next to their replacements. */
export function pairLines(lines: readonly DiffLine[]): DiffPair[] {
  return runsOf(lines).flatMap((run) => ('same' in run ? [{ old: run.same, new: run.same }] : pairRun(run)));
}

/** The lines of a hunk for one column: a long rewrite is shown line by line, not as two blocks. */
export function interleave(lines: readonly DiffLine[]): DiffLine[] {
  return runsOf(lines).flatMap((run) => {
    if ('same' in run) return [run.same];
    if (run.removed.length <= shortRun || run.added.length === 0) return [...run.removed, ...run.added];
    return pairRun(run).flatMap((pair) => [pair.old, pair.new].filter((line) => line !== undefined));
  });
}

type ChangedRun = { readonly removed: DiffLine[]; readonly added: DiffLine[] };

function runsOf(lines: readonly DiffLine[]): ({ readonly same: DiffLine } | ChangedRun)[] {
  const runs: ({ readonly same: DiffLine } | ChangedRun)[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (line.kind === 'same') runs.push({ same: line });
    else if (last === undefined || 'same' in last)
      runs.push({ removed: line.kind === 'removed' ? [line] : [], added: line.kind === 'added' ? [line] : [] });
    else last[line.kind].push(line);
  }
  return runs;
}

/** Pairs similar lines in order; a line without a counterpart gets its own row before the next pair. */
function pairRun({ removed, added }: ChangedRun): DiffPair[] {
  const pairs =
    removed.length * added.length > mostComparisons || removed.length === 0 || added.length === 0
      ? []
      : alignedPairs(removed, added);
  const rows: DiffPair[] = [];
  let [x, y] = [0, 0];
  for (const [toX, toY] of [...pairs, [removed.length, added.length] as const]) {
    // Lines between two pairs are paired by position, so both columns stay short.
    while (x < toX || y < toY) {
      const [before, after] = [x < toX ? removed[x] : undefined, y < toY ? added[y] : undefined];
      rows.push({ ...(before && { old: before }), ...(after && { new: after }) });
      if (before) x += 1;
      if (after) y += 1;
    }
    const [before, after] = [removed[toX], added[toY]];
    if (before === undefined || after === undefined) continue;
    rows.push({ old: before, new: after });
    x = toX + 1;
    y = toY + 1;
  }
  return rows;
}

/** The best pairs in order, by the share of words two lines have in common. */
function alignedPairs(removed: readonly DiffLine[], added: readonly DiffLine[]): (readonly [number, number])[] {
  const [a, b] = [removed.map(({ text }) => wordsOf(text)), added.map(({ text }) => wordsOf(text))];
  const width = b.length + 1;
  const best = new Float32Array((a.length + 1) * width);
  const likeness = new Float32Array(a.length * b.length);
  for (let x = a.length - 1; x >= 0; x -= 1) {
    for (let y = b.length - 1; y >= 0; y -= 1) {
      const alike = likenessOf(a[x], b[y]);
      likeness[x * b.length + y] = alike;
      const paired = alike < leastAlike ? 0 : alike + (best[(x + 1) * width + y + 1] ?? 0);
      best[x * width + y] = Math.max(paired, best[(x + 1) * width + y] ?? 0, best[x * width + y + 1] ?? 0);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [x, y] = [0, 0]; x < a.length && y < b.length;) {
    const here = best[x * width + y] ?? 0;
    const alike = likeness[x * b.length + y] ?? 0;
    const rest = best[(x + 1) * width + y + 1] ?? 0;
    if (alike >= leastAlike && Math.abs(alike + rest - here) < 1e-4) pairs.push([x++, y++]);
    else if ((best[(x + 1) * width + y] ?? 0) >= here - 1e-4) x += 1;
    else y += 1;
  }
  return pairs;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.slice(0, 500).match(/[\p{L}\p{N}_$]+|[^\s]/gu));

function likenessOf(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return a.size + b.size === 0 ? 1 : (2 * shared) / (a.size + b.size);
}
