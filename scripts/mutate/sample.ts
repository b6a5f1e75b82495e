export type Candidate<T> = { readonly file: string; readonly mutant: T };

/** `packages/web`, or the first folder of a file outside any package. */
export const packageOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('packages/') ? 2 : 1)
    .join('/');

/** The next number of a sequence that depends only on the seed, from 0 up to 1. */
function createSequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The given number from each package, or all if it has fewer. The same ones for the same seed. */
export function sampleOf<T>(all: readonly Candidate<T>[], count: number, seed: number): Candidate<T>[] {
  const next = createSequence(seed);
  return [...Map.groupBy(all, ({ file }) => packageOf(file)).values()].flatMap((ofPackage) =>
    ofPackage
      .map((candidate) => ({ candidate, place: next() }))
      .toSorted((one, other) => one.place - other.place)
      .slice(0, count)
      .map(({ candidate }) => candidate),
  );
}
