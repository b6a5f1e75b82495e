/** The positions of a list's rows, from measured and estimated heights. */
export type RowLayout = {
  readonly count: number;
  readonly total: number;
  readonly top: (index: number) => number;
  /** The row at an offset; the last one if it is below all. */
  readonly at: (offset: number) => number;
  /** -1 if there is no such row. */
  readonly indexOf: (key: string) => number;
};

export function layoutRows(
  count: number,
  keyAt: (index: number) => string,
  sizeOf: (key: string, index: number) => number,
): RowLayout {
  const tops = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) tops[index + 1] = (tops[index] ?? 0) + sizeOf(keyAt(index), index);
  let indexes: Map<string, number> | undefined;
  return {
    count,
    total: tops[count] ?? 0,
    top: (index) => tops[Math.min(Math.max(index, 0), count)] ?? 0,
    at(offset) {
      let [low, high] = [0, Math.max(0, count - 1)];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((tops[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    indexOf(key) {
      indexes ??= new Map(Array.from({ length: count }, (_, index) => [keyAt(index), index]));
      return indexes.get(key) ?? -1;
    },
  };
}
