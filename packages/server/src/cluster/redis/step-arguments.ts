/**
 * The action, key, value, and index position ('' for none). "fill" puts a value unless a newer one is there. "settle"
 * puts the complete text of an item that grew in pieces.
 */
export type Step = readonly [
  what: 'put' | 'settle' | 'fill' | 'grow' | 'drop',
  key: string,
  value: string,
  score: string,
];

/**
 * Steps as script arguments: all values in one list and all positions in another, so Redis writes each list in one
 * call, then the rest one by one. For each key, the last state wins.
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
  // Not spread: a page of history has more entries than a function call allows arguments.
  for (const part of places) args.push(part);
  for (const part of others) args.push(part);
  for (const key of drops) args.push('drop', key, '');
  return args;
}
