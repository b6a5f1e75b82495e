import { CheckpointLimits, usualCheckpointLimits } from '@liminal/contracts';
import type { CheckpointSize } from '../store/review-rows.ts';
import type { Store } from '../store/store.ts';

export const checkpointsKey = 'checkpoints';

const forever: CheckpointLimits = { days: 0, megabytes: 1_000_000, folderMegabytes: 0 };

/** The current setting. An invalid one removes nothing. */
export function storedCheckpointLimits(store: Pick<Store, 'setting'>): CheckpointLimits {
  const stored = store.setting(checkpointsKey);
  if (stored === undefined) return usualCheckpointLimits;
  const read = CheckpointLimits.safeParse(stored);
  return read.success ? read.data : forever;
}

const dayMs = 24 * 60 * 60 * 1000;
const megabyte = 1024 * 1024;

/** The checkpoints that are too old, and per repository the oldest beyond its size limit. */
export function checkpointsToPrune(
  sizes: readonly CheckpointSize[],
  { days, megabytes }: CheckpointLimits,
  now: number,
): CheckpointSize[] {
  const oldest = days === 0 ? -Infinity : now - days * dayMs;
  return [...Map.groupBy(sizes, ({ gitDir }) => gitDir).values()].flatMap((kept) => {
    let left = kept.reduce((sum, { bytes }) => sum + bytes, 0);
    return kept.filter(({ at, bytes }) => {
      const isDue = Date.parse(at) < oldest || left > megabytes * megabyte;
      if (isDue) left -= bytes;
      return isDue;
    });
  });
}

/** The size of each repository's checkpoints, largest first. */
export function checkpointTotals(sizes: readonly CheckpointSize[]) {
  return [...Map.groupBy(sizes, ({ gitDir }) => gitDir).values()]
    .map((kept) => ({
      folder: kept.at(-1)?.folder ?? '',
      checkpoints: kept.length,
      bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
    }))
    .toSorted((a, b) => b.bytes - a.bytes);
}
