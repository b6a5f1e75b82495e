import type { Folded } from './folded.ts';
import type { Row } from './row.ts';
import { rowsOfTurn } from './rows-of-turn.ts';
import { sameValue } from './same-value.ts';
import { itemsOfTurn, type Timeline } from './timeline.ts';

/** The rows of one turn; the same object while they are unchanged. */
export type RowChunk = { readonly turnId: string; readonly rows: readonly Row[] };

/** The rows of a timeline, updated with what each message changed. */
export type Rows = {
  /** Applies what a message changed. True if there are different rows now, so a list has to be drawn again. */
  update(timeline: Timeline, folded: Folded): boolean;
  /** One per turn, in order; the same array until `update` returns true. */
  readonly chunks: readonly RowChunk[];
  readonly length: number;
  /** The row at an index of the whole list, without building that list. */
  at(index: number): Row | undefined;
};

/** Growing text costs nothing here, a changed turn costs its own rows, and the rest are only counted. */
export function createRows(): Rows {
  const chunkOf = new Map<string, RowChunk>();
  let chunks: readonly RowChunk[] = [];
  /** `starts[i]` is the index of the first row of chunk `i`; undefined after chunks changed. */
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

/** Unchanged rows keep their objects, so only the others are drawn again. */
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
