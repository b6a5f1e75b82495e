export type DiffLine = {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** 1-based line numbers; missing on the side without the line. */
  readonly oldLine?: number;
  readonly newLine?: number;
};
/** Lines that belong together; unchanged lines between two hunks are left out. */
export type DiffHunk = { readonly lines: readonly DiffLine[]; readonly skippedBefore: number };
export type FileChange = { readonly hunks: readonly DiffHunk[]; readonly added: number; readonly removed: number };

const splitLines = (text: string): string[] => {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/** Above this many differing lines a shortest script takes too long: show the old block, then the new block. */
const maxEdits = 1500;

/** Myers' greedy algorithm; `null` if the two differ by more than `most` edits. */
export function shortestEdits(
  a: readonly string[],
  b: readonly string[],
  most = maxEdits,
): Array<'same' | 'added' | 'removed'> | null {
  const trace: Int32Array[] = [];
  const size = Math.min(a.length + b.length, most);
  const reach = new Int32Array(2 * size + 3);
  const middle = size + 1;
  for (let edits = 0; edits <= size; edits += 1) {
    trace.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach[middle + k - 1] ?? 0) < (reach[middle + k + 1] ?? 0));
      let x = down ? (reach[middle + k + 1] ?? 0) : (reach[middle + k - 1] ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(trace, edits, a.length, b.length, middle);
    }
  }
  return null;
}

function walkBack(trace: Int32Array[], edits: number, endX: number, endY: number, middle: number) {
  const steps: Array<'same' | 'added' | 'removed'> = [];
  let x = endX;
  let y = endY;
  for (let d = edits; d >= 0; d -= 1) {
    const reach = trace[d] ?? new Int32Array();
    const k = x - y;
    const down = k === -d || (k !== d && (reach[middle + k - 1] ?? 0) < (reach[middle + k + 1] ?? 0));
    const beforeK = down ? k + 1 : k - 1;
    const beforeX = d === 0 ? 0 : (reach[middle + beforeK] ?? 0);
    const beforeY = d === 0 ? 0 : beforeX - beforeK;
    while (x > beforeX && y > beforeY && x > 0 && y > 0) {
      steps.push('same');
      x -= 1;
      y -= 1;
    }
    if (d > 0) steps.push(down ? 'added' : 'removed');
    x = beforeX;
    y = beforeY;
  }
  return steps.reverse();
}

/** The lines that differ between two texts, with `context` unchanged lines around them. */
export function diffLines(oldText: string | null, newText: string, context = 3): FileChange {
  const a = splitLines(oldText ?? '');
  const b = splitLines(newText);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const oldMiddle = a.slice(start, a.length - end);
  const newMiddle = b.slice(start, b.length - end);
  const steps = shortestEdits(oldMiddle, newMiddle) ?? [
    ...oldMiddle.map(() => 'removed' as const),
    ...newMiddle.map(() => 'added' as const),
  ];
  const same = (count: number): 'same'[] => Array.from({ length: count }, () => 'same');
  return cutHunks(number([...same(start), ...steps, ...same(end)], a, b), context);
}

function number(kinds: ReadonlyArray<DiffLine['kind']>, a: readonly string[], b: readonly string[]): DiffLine[] {
  let oldLine = 0;
  let newLine = 0;
  return kinds.map((kind) => {
    if (kind !== 'added') oldLine += 1;
    if (kind !== 'removed') newLine += 1;
    const text = (kind === 'removed' ? a[oldLine - 1] : b[newLine - 1]) ?? '';
    return { kind, text, ...(kind === 'added' ? {} : { oldLine }), ...(kind === 'removed' ? {} : { newLine }) };
  });
}

function cutHunks(lines: readonly DiffLine[], context: number): FileChange {
  const hunks: Array<{ lines: DiffLine[]; skippedBefore: number }> = [];
  const changed = lines.flatMap((line, index) => (line.kind === 'same' ? [] : [index]));
  let shownTo = 0;
  for (const index of changed) {
    const from = Math.max(shownTo, index - context);
    const to = Math.min(lines.length, index + context + 1);
    if (to <= shownTo) continue;
    const last = hunks.at(-1);
    if (last !== undefined && from === shownTo) last.lines.push(...lines.slice(from, to));
    else hunks.push({ lines: lines.slice(from, to), skippedBefore: from - shownTo });
    shownTo = to;
  }
  const count = (kind: DiffLine['kind']): number => changed.filter((index) => lines[index]?.kind === kind).length;
  return { hunks, added: count('added'), removed: count('removed') };
}
