import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchHost } from '../host/bench-host.ts';

const run = promisify(execFile);

const line = (seed: number): string =>
  `export const value${seed} = ${seed * 7919}; // some text of usual length here\n`;

/** About 4 KB of code; `edit` changes it. */
export const contentOf = (file: number, edit = 0): string =>
  Array.from({ length: 60 }, (_, place) => line(file * 100 + place + (place === 30 ? edit : 0))).join('');
export const pathOf = (file: number): string => `folder-${Math.floor(file / 40)}/file-${file}.ts`;

/** A repository of this many files with one commit, as a trusted project. */
export async function makeLargeRepository(
  host: Pick<BenchHost, 'call'>,
  folder: string,
  files: number,
  content: (file: number) => string = contentOf,
): Promise<{ readonly projectId: string }> {
  for (let file = 0; file < files; file += 1) {
    if (file % 40 === 0) mkdirSync(join(folder, `folder-${file / 40}`), { recursive: true });
    writeFileSync(join(folder, pathOf(file)), content(file));
  }
  await run('git', ['init', '--quiet', '--initial-branch=main', folder]);
  for (const [key, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.org'],
    ['gc.auto', '0'],
  ] as const) {
    await run('git', ['-C', folder, 'config', key, value]);
  }
  await run('git', ['-C', folder, 'add', '--all'], { maxBuffer: 1e9 });
  await run('git', ['-C', folder, 'commit', '--quiet', '--message', 'first'], { maxBuffer: 1e9 });
  const added = await host.call('POST', '/api/projects', { dir: folder });
  const { projectId } = added.body as { projectId: string };
  await host.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  return { projectId };
}
