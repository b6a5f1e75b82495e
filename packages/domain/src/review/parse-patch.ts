import type { DiffLine } from '../diff/line-diff.ts';
import { interleave, pairLines } from '../diff/pair-lines.ts';

/**
 * The positions of a patch's lines, in arrays that can be transferred between threads without a copy. The text itself
 * stays where it is: a line is sliced from it when it is shown.
 */
export type PatchIndex = {
  /** 0 unchanged, 1 added, 2 removed. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** Where each line starts in the patch, after its sign, and where it ends. */
  readonly starts: Int32Array<ArrayBuffer>;
  readonly ends: Int32Array<ArrayBuffer>;
  /** 1-based line numbers; 0 on the side without the line. */
  readonly oldLines: Int32Array<ArrayBuffer>;
  readonly newLines: Int32Array<ArrayBuffer>;
  /** The first line of each hunk; the last entry is the number of lines. */
  readonly hunks: Int32Array<ArrayBuffer>;
  /** Lines in one-column order. */
  readonly order: Int32Array<ArrayBuffer>;
  /** Rows for two columns, two lines each; -1 for none. */
  readonly pairs: Int32Array<ArrayBuffer>;
  /** The first row of each hunk in `pairs`; the last entry is the number of rows. */
  readonly pairHunks: Int32Array<ArrayBuffer>;
  /** The replacement of a line, or the line it replaced; -1 for none. */
  readonly partners: Int32Array<ArrayBuffer>;
  /** Lines without a newline at the end. */
  readonly unended: readonly number[];
};

const kindOf = ['same', 'added', 'removed'] as const;
const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses a patch of one file. */
export function indexPatch(patch: string): PatchIndex {
  const lines: number[][] = [];
  const hunks: number[] = [];
  const unended: number[] = [];
  let [oldLine, newLine] = [0, 0];
  for (let start = 0; start < patch.length;) {
    const found = patch.indexOf('\n', start);
    const end = found < 0 ? patch.length : found;
    const place = patch.startsWith('@@ ', start) ? header.exec(patch.slice(start, Math.min(end, start + 100))) : null;
    const sign = patch[start];
    if (place) {
      hunks.push(lines.length);
      [oldLine, newLine] = [Number(place[1]), Number(place[2])];
    } else if (hunks.length > 0 && (sign === ' ' || sign === '+' || sign === '-')) {
      const kind = sign === ' ' ? 0 : sign === '+' ? 1 : 2;
      lines.push([kind, start + 1, end, kind === 1 ? 0 : oldLine, kind === 2 ? 0 : newLine]);
      if (kind !== 1) oldLine += 1;
      if (kind !== 2) newLine += 1;
    } else if (hunks.length > 0 && sign === '\\') unended.push(lines.length - 1);
    start = end + 1;
  }
  const column = (place: number): Int32Array<ArrayBuffer> => Int32Array.from(lines, (line) => line[place] ?? 0);
  const places = {
    kinds: Uint8Array.from(lines, (line) => line[0] ?? 0),
    starts: column(1),
    ends: column(2),
    oldLines: column(3),
    newLines: column(4),
    hunks: Int32Array.from([...hunks, lines.length]),
  };
  return { ...places, ...arrange(patch, places), unended };
}

type Places = Pick<PatchIndex, 'kinds' | 'starts' | 'ends' | 'oldLines' | 'newLines' | 'hunks'>;

function arrange(patch: string, places: Places): Pick<PatchIndex, 'order' | 'pairs' | 'pairHunks' | 'partners'> {
  const count = places.kinds.length;
  const [order, partners] = [new Int32Array(count), new Int32Array(count).fill(-1)];
  const pairs: number[] = [];
  const pairHunks: number[] = [];
  for (let hunk = 0; hunk < places.hunks.length - 1; hunk += 1) {
    const [from, to] = [places.hunks[hunk] ?? 0, places.hunks[hunk + 1] ?? 0];
    const indexes = new Map<DiffLine, number>();
    for (let index = from; index < to; index += 1) indexes.set(lineOf(patch, places, index), index);
    const lines = [...indexes.keys()];
    const at = (line: DiffLine | undefined): number => (line === undefined ? -1 : (indexes.get(line) ?? -1));
    for (const [place, line] of interleave(lines).entries()) order[from + place] = at(line);
    pairHunks.push(pairs.length / 2);
    for (const pair of pairLines(lines)) {
      const [before, after] = [at(pair.old), at(pair.new)];
      pairs.push(before, after);
      if (before < 0 || after < 0 || before === after) continue;
      partners[before] = after;
      partners[after] = before;
    }
  }
  return {
    order,
    partners,
    pairs: Int32Array.from(pairs),
    pairHunks: Int32Array.from([...pairHunks, pairs.length / 2]),
  };
}

/** One line of a patch, ready to show. */
export function lineOf(patch: string, places: Places, index: number): DiffLine {
  const kind = kindOf[places.kinds[index] ?? 0] ?? 'same';
  const [oldLine, newLine] = [places.oldLines[index] ?? 0, places.newLines[index] ?? 0];
  return {
    kind,
    text: patch.slice(places.starts[index], places.ends[index]),
    ...(oldLine > 0 && { oldLine }),
    ...(newLine > 0 && { newLine }),
  };
}

/** The buffers that can be transferred to another thread without a copy. */
export const buffersOf = (index: PatchIndex): ArrayBuffer[] =>
  Object.values(index).flatMap((part) => (ArrayBuffer.isView(part) ? [part.buffer as ArrayBuffer] : []));
