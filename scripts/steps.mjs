/** Every step that `npm run check` and `npm test` are made of, by name. */
export const steps = /** @type {Record<string, string[]>} */ ({
  format: ['oxfmt', '--check'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  types: ['tsc', '-b'],
  unit: ['vitest', 'run', '--project', 'unit'],
  integration: ['vitest', 'run', '--project', 'integration'],
  browser: ['vitest', 'run', '--project', 'e2e'],
  trace: ['node', 'scripts/trace.ts'],
});
