/**
 * What to do, key, value, and the place in the index ('' where it has none). To fill is to put where nothing newer stands;
 * to settle is to put the whole of a text that has grown in pieces.
 */
export type Step = readonly [
  what: 'put' | 'settle' | 'fill' | 'grow' | 'drop',
  key: string,
  value: string,
  score: string,
];

/**
 * Steps as a script takes them: everything that is put in one list and every place in another, so that Redis takes each
 * of them in one call, then the rest one by one. Of one key the last state holds.
 */
export function stepArguments(steps: readonly Step[]): string[] {
  const puts = new Map<string, string>();
  const drops = new Set<string>();
  const [places, others]: [string[], string[]] = [[], []];
  for (const [what, key, value, score] of steps) {
    if (score !== '') places.push(score, key);
    if (what === 'drop') {
      puts.delete(key);
      drops.add(key);
    } else if (what === 'put' || what === 'settle') {
      drops.delete(key);
      puts.set(key, value);
      if (what === 'settle') others.push('settle', key, '');
    } else others.push(what, key, value);
  }
  const args = [String(puts.size * 2)];
  for (const [key, value] of puts) args.push(key, value);
  args.push(String(places.length));
  // Not spread: a page of a history has more of them than a call takes arguments.
  for (const part of places) args.push(part);
  for (const part of others) args.push(part);
  for (const key of drops) args.push('drop', key, '');
  return args;
}
