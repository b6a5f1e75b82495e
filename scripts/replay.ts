import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Replayer, replayers } from './replay/replayers.ts';

const largestOutput = 1024 ** 3;

/**
 * `npm run replay -- AGENT FILE…` prints the result of a recording. `npm run replay -- AGENT --update` writes the
 * golden files.
 */
function main(args: readonly string[]): void {
  const [agent = '', ...rest] = args;
  const replayer = replayers[agent];
  const update = rest.includes('--update');
  const files = rest.filter((argument) => argument !== '--update');
  if (!replayer || (files.length === 0 && !update)) {
    process.stderr.write(`usage: npm run replay -- ${Object.keys(replayers).join('|')} FILE… | --update\n`);
    process.exitCode = 2;
    return;
  }
  if (update) updateGolden(replayer);
  // npm runs scripts in the repository root, but the user's path is relative to their own folder.
  const from = process.env['INIT_CWD'] ?? process.cwd();
  for (const file of files) replay(replayer, resolve(from, file), 'inherit');
}

function updateGolden(replayer: Replayer): void {
  for (const { recordings, golden } of replayer.folders) {
    mkdirSync(golden, { recursive: true });
    for (const name of readdirSync(recordings).filter((entry) => entry.endsWith('.jsonl'))) {
      writeFileSync(join(golden, name), replay(replayer, join(recordings, name), 'pipe'));
    }
  }
}

function replay({ command }: Replayer, path: string, stdout: 'inherit' | 'pipe'): string {
  const run = spawnSync(process.execPath, [command, path], {
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    maxBuffer: largestOutput,
  });
  if (run.status !== 0) process.exit(run.status ?? 1);
  return run.stdout ?? '';
}

main(process.argv.slice(2));
