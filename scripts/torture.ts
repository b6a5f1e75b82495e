// npm run torture [-- WORD… --soak MINUTES]: the long form of the suites whose file name contains one of the words, or
// of all suites; `mutate` stands for a sample of mutations. The soak takes 45 minutes by default. The figures go into
// docs/reliability.md. `LIMINAL_SEED=…` repeats a run.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { parseArgs } from 'node:util';
import { inRoot, root } from './setup/paths.mjs';
import { figuresIn, withFigures } from './torture/figures.ts';

const runs = [
  [
    'integration*',
    [
      'packages/server/src/reliability',
      'packages/server/src/cluster',
      'packages/server/src/compose/token-command',
      'packages/server/src/providers/acp/opencode-provider',
    ],
  ],
  ['e2e', ['e2e/src/hostile-streams', 'e2e/src/who-may-talk']],
] as const;
const given = parseArgs({ allowPositionals: true, options: { soak: { type: 'string' } } });
const { positionals: words } = given;
const soak = given.values.soak === undefined ? {} : { LIMINAL_SOAK_MINUTES: given.values.soak };
const seed = process.env['LIMINAL_SEED'] ?? String(Date.now() % 1_000_000);
const began = performance.now();

/** How many mutations of each package to try. */
const mutationsOfEach = 40;

const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs');
const suites = (project: string, filters: readonly string[]): string[] =>
  [vitest, 'run', '--project', project, '--passWithNoTests'].concat(filters);

function run(args: readonly string[]): Promise<{ output: string; ok: boolean }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...soak, LIMINAL_TORTURE: '1', LIMINAL_SEED: seed },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ output, ok: code === 0 })));
}

const results: { readonly output: string; readonly ok: boolean }[] = [];
for (const [project, filters] of runs) {
  results.push(await run(suites(project, words.length === 0 ? filters : words)));
}
if (words.length === 0 || words.includes('mutate')) {
  results.push(await run([inRoot('scripts', 'mutate.ts'), '--sample', String(mutationsOfEach)]));
}
const figures = results.flatMap(({ output }) => figuresIn(output));
const file = inRoot('docs', 'reliability.md');
const about = [
  `date: ${new Date().toISOString().slice(0, 10)}`,
  `command: \`LIMINAL_SEED=${seed} npm run torture${words.length === 0 ? '' : ` -- ${words.join(' ')}`}\`, ${Math.round((performance.now() - began) / 1000)} s`,
  `machine: ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, Linux ${release()}, Node ${process.versions.node}`,
  `load at the end: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
];
const failed = results.some(({ ok }) => !ok);
// Figures of a failed run prove nothing.
if (!failed && figures.length > 0) writeFileSync(file, withFigures(readFileSync(file, 'utf8'), figures, about));
console.log(
  failed ? `Failed with seed ${seed}; docs/reliability.md is unchanged.` : `${figures.length} figures, seed ${seed}.`,
);
process.exitCode = failed ? 1 : 0;
