import type { StoreWrite, TurnRow } from '../../store/rows.ts';
import type { UnwrittenTurns } from '../history/history-reader.ts';
import type { ItemWriter } from './item-writer.ts';

/** Turn rows on their way to the disk: readable until they are there. */
export function createUnwrittenTurns(writer: ItemWriter): UnwrittenTurns & { put(write: StoreWrite): void } {
  const rows = new Map<string, TurnRow>();
  return {
    unwritten: () => [...rows.values()],
    put(write) {
      if (write.type !== 'put-turn') return writer.add(write);
      const { row } = write;
      rows.set(row.turnId, row);
      writer.add(write, () => {
        if (rows.get(row.turnId) === row) rows.delete(row.turnId);
      });
    },
  };
}
