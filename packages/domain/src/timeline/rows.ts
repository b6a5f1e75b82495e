import type { Folded } from './folded.ts';
import type { Row } from './row.ts';
import { rowsOfTurn } from './rows-of-turn.ts';
import { sameValue } from './same-value.ts';
import { itemsOfTurn, type Timeline } from './timeline.ts';

/** The rows of one turn; the same object as long as they are the same. */
export type RowChunk = { readonly turnId: string; readonly rows: readonly Row[] };

/** The rows of a timeline, kept up to date by what each message changed. */
export type Rows = {
  /** Takes in what a message changed. True when there are other rows now, so a list has to be drawn again. */
  update(timeline: Timeline, folded: Folded): boolean;
  /** One per turn, in order; the same array until `update` says true. */
  readonly chunks: readonly RowChunk[];
  readonly length: number;
  /** The row at a place in the whole list, without building that list. */
  at(index: number): Row | undefined;
};

/** A text that grows costs nothing here; a turn that changed costs its own rows; the rest are only counted. */
export function createRows(): Rows {
  const chunkOf = new Map<string, RowChunk>();
  let chunks: readonly RowChunk[] = [];
  /** `starts[i]` is the place of the first row of chunk `i`; undefined when chunks changed since it was counted. */
  let starts: readonly number[] | undefined;
  let length = 0;

  const refresh = (timeline: Timeline, turnId: string): boolean => {
    const before = chunkOf.get(turnId);
    const rows = rowsOfTurn(timeline.turns.get(turnId)?.record, itemsOfTurn(timeline, turnId));
    if (before && sameValue(before.rows, rows)) return false;
    chunkOf.set(turnId, { turnId, rows: before ? reuseSame(before.rows, rows) : rows });
    return true;
  };

  const count = (): readonly number[] => {
    if (starts) return starts;
    length = 0;
    starts = chunks.map((chunk) => {
      const start = length;
      length += chunk.rows.length;
      return start;
    });
    return starts;
  };

  return {
    update(timeline, folded) {
      if (folded.reshaped.length === 0 && !folded.added && !folded.reset) return false;
      if (folded.reset) for (const turnId of chunkOf.keys()) if (!timeline.turns.has(turnId)) chunkOf.delete(turnId);
      const refreshed = folded.reshaped.filter((turnId) => refresh(timeline, turnId));
      if (refreshed.length === 0 && !folded.added) return false;
      chunks = timeline.turnIds.flatMap((turnId) => chunkOf.get(turnId) ?? []);
      starts = undefined;
      return true;
    },
    get chunks() {
      return chunks;
    },
    get length() {
      count();
      return length;
    },
    at(index) {
      const place = lastNotAfter(count(), index);
      return chunks[place]?.rows[index - (starts?.[place] ?? 0)];
    },
  };
}

/** Rows that say the same stay the same objects, so only the others are drawn again. */
function reuseSame(before: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const same = known.get(row.key);
    return same && sameValue(same, row) ? same : row;
  });
}

function lastNotAfter(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
