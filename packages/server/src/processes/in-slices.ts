import { setImmediate as nextRound } from 'node:timers/promises';

const sliceSize = 32;

/** Maps a list a few entries at a time, so other work runs in between, however long the list is. */
export async function inSlices<T, U>(list: readonly T[], map: (each: T) => U): Promise<U[]> {
  const mapped: U[] = [];
  for (let start = 0; start < list.length; start += sliceSize) {
    if (start > 0) await nextRound();
    for (const each of list.slice(start, start + sliceSize)) mapped.push(map(each));
  }
  return mapped;
}
