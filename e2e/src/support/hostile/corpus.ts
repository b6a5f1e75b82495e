import { hostilePayloads } from '../hostile-payloads.ts';
import { characterFamilies } from './character-families.ts';
import { htmlFamilies } from './html-families.ts';
import { markdownFamilies } from './markdown-families.ts';

/** All known hostile payloads, by family: none is in two. */
export const families: Readonly<Record<string, readonly string[]>> = {
  handPicked: hostilePayloads,
  ...htmlFamilies,
  ...markdownFamilies,
  ...characterFamilies,
};

/** All of it, or every nth payload of each family, with an offset by seed. */
export const sample = (every: number, seed: number): string[] =>
  Object.values(families).flatMap((family) => family.filter((_, index) => (index + seed) % every === 0));

/** Where a stream is cut: the same places for the same seed; also within a character or an escape. */
export function cutPoints(text: string, count: number, seed: number): number[] {
  let state = (seed * 2_654_435_761 + text.length) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, () => Math.ceil(next() * text.length)).toSorted((a, b) => a - b);
}
