import type { Random } from './random.ts';

/** Unexpected values for any field. */
const oddities: readonly unknown[] = [
  null,
  undefined,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'x',
  '\0',
  '\ud800',
  '0',
  '__proto__',
  'constructor',
  'x'.repeat(3_000),
  '2026-01-01T00:00:00.000Z',
  [],
  [null],
  [[[[]]]],
  {},
  { type: 'text' },
  { toString: 1, valueOf: 1 },
  { length: -1 },
];

type Box = Record<string, unknown>;

const isBox = (value: unknown): value is Box => typeof value === 'object' && value !== null;

/** Values seen before, by field name: a wrong value of the right type gets further than nonsense. */
export function wordsOf(messages: readonly unknown[]): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, Set<string>>();
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'string' && value.length < 80) words.set(name, (words.get(name) ?? new Set()).add(value));
    else if (isBox(value))
      for (const [key, each] of Object.entries(value)) visit(each, Array.isArray(value) ? name : key);
  };
  for (const message of messages) visit(message, '');
  return new Map([...words].map(([name, seen]) => [name, [...seen]]));
}

/** A copy of a message with one to three errors anywhere. */
export function mutate(random: Random, message: unknown, words: ReadonlyMap<string, readonly string[]>): unknown {
  let mutated = message;
  for (let times = 1 + random.below(3); times > 0; times -= 1) mutated = mutateOnce(random, mutated, words, '');
  return mutated;
}

function mutateOnce(
  random: Random,
  value: unknown,
  words: ReadonlyMap<string, readonly string[]>,
  name: string,
): unknown {
  if (!isBox(value)) return mutateLeaf(random, value, words.get(name) ?? []);
  const keys = Object.keys(value);
  if (keys.length === 0 || random.chance(0.05)) return random.pick(oddities);
  const key = random.pick(keys);
  const copy: Box | unknown[] = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  const fields = copy as Box;
  if (random.chance(0.7)) {
    fields[key] = mutateOnce(random, fields[key], words, Array.isArray(value) ? name : key);
    return copy;
  }
  if (Array.isArray(copy)) {
    const at = Number(key);
    if (random.chance(0.5)) copy.splice(at, 1);
    else copy.splice(at, 0, ...Array.from({ length: 1 + random.below(3) }, () => copy[at]));
    return copy;
  }
  switch (random.below(4)) {
    case 0:
      delete fields[key];
      break;
    case 1:
      fields[key] = random.pick(oddities);
      break;
    case 2: {
      const other = random.pick(keys);
      [fields[key], fields[other]] = [fields[other], fields[key]];
      break;
    }
    default:
      fields[`${key}_`] = fields[key];
      delete fields[key];
  }
  return copy;
}

function mutateLeaf(random: Random, value: unknown, seen: readonly string[]): unknown {
  if (typeof value === 'number' && random.chance(0.5)) return value + random.pick([-1, 1, 0.5, -1_000, 1e9]);
  if (typeof value !== 'string' || random.chance(0.3)) return random.pick(oddities);
  if (seen.length > 1 && random.chance(0.6)) return random.pick(seen);
  const cut = random.below(value.length + 1);
  return random.chance(0.5) ? value.slice(0, cut) : `${value.slice(0, cut)}${value}`;
}

/** A stream with messages missing, duplicated, delayed or inserted from another stream. */
export function disturb<T>(
  random: Random,
  stream: readonly T[],
  others: readonly T[],
): { readonly event: T; readonly moved: boolean }[] {
  const all: { event: T; moved: boolean }[] = [];
  const held: T[] = [];
  for (const each of stream) {
    const turn = random.next();
    if (turn < 0.03) continue;
    if (turn < 0.06) held.push(each);
    else all.push({ event: each, moved: false });
    if (turn > 0.97) all.push({ event: each, moved: true });
    else if (turn > 0.94) all.push({ event: random.pick(others), moved: true });
    if (held.length > 0 && random.chance(0.2))
      all.push({ event: held.splice(random.below(held.length), 1)[0] as T, moved: true });
  }
  return all;
}
