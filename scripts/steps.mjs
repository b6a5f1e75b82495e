/** Every step of `npm run check` and `npm test`, by name. */
export const steps = /** @type {Record<string, string[]>} */ ({
  format: ['oxfmt', '--check'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  types: ['tsc', '-b'],
  unit: ['vitest', 'run', '--project', 'unit'],
  component: ['vitest', 'run', '--project', 'component'],
  integration: ['vitest', 'run', '--project', 'integration*'],
  browser: ['vitest', 'run', '--project', 'e2e'],
  trace: ['node', 'scripts/trace.ts'],
});

/**
 * Reads `lint+types unit`: groups that run one after the other, of steps that run at the same time.
 * @param {readonly string[]} words
 * @returns {{ groups: string[][] } | { unknown: string }}
 */
export function readGroups(words) {
  const groups = words.map((word) => word.split('+'));
  const unknown = groups.flat().find((name) => !(name in steps));
  return unknown === undefined ? { groups } : { unknown };
}
