import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type Result } from '@liminal/contracts';
import { fieldsOf } from './nul-fields.ts';
import { pathBytes, pathText } from './path-text.ts';
import type { Repository } from './repository.ts';
import { expectGit, type GitOutput, type GitRun, type GitRunner } from './run-git.ts';

/** The entry of the index or a commit at a path. */
export type IndexEntry = { readonly mode: string; readonly id: string };

const lockWaitMs = 5_000;
const retryMs = 100;

/**
 * Runs a command that writes the user's index. Waits a little while another git holds the lock, but never removes the
 * lock, because its owner may be alive.
 */
export async function writeIndex(runner: GitRunner, run: GitRun): Promise<Result<GitOutput>> {
  const until = performance.now() + lockWaitMs;
  for (;;) {
    const ran = await runner({ ...run, writes: true });
    if (!ran.ok || ran.value.code === 0) return ran;
    if (!/index\.lock/.test(ran.value.stderr)) return expectGit(async () => ran, run);
    if (performance.now() > until) return fail('GIT_BUSY', locked);
    await wait(retryMs);
  }
}
export const locked =
  'Another git command holds the index (index.lock). Wait until it is done. If none is running, a crashed one left the lock: delete .git/index.lock, then try again.';

/** The index entries by path below the root. A path in conflict has none. */
export async function readIndex(
  runner: GitRunner,
  { root }: Repository,
  paths: readonly string[],
): Promise<Result<Map<string, IndexEntry>>> {
  const ran = await expectGit(runner, { cwd: root, args: ['ls-files', '--stage', '-z'] });
  if (!ran.ok) return ran;
  const wanted = new Set(paths);
  const entries = new Map<string, IndexEntry>();
  for (const field of fieldsOf(ran.value.stdout)) {
    const tab = field.indexOf(9);
    const [mode = '', id = '', stage] = field.toString('latin1', 0, tab).split(' ');
    const path = pathText(field.subarray(tab + 1));
    if (stage === '0' && wanted.has(path)) entries.set(path, { mode, id });
  }
  return ok(entries);
}

/** The paths below the root that are in conflict. */
export async function readUnmerged(runner: GitRunner, { root }: Repository): Promise<Result<string[]>> {
  const ran = await expectGit(runner, { cwd: root, args: ['diff', '--name-only', '--diff-filter=U', '-z'] });
  return ran.ok ? ok(fieldsOf(ran.value.stdout).map(pathText)) : ran;
}

/** The entries of the last commit by path below the root. None before the first commit. */
export async function readHead(
  runner: GitRunner,
  { root }: Repository,
  head: string | null,
  paths: readonly string[],
): Promise<Result<Map<string, IndexEntry>>> {
  const entries = new Map<string, IndexEntry>();
  if (head === null) return ok(entries);
  const wanted = new Set(paths);
  const onField = (field: Buffer): void => {
    const tab = field.indexOf(9);
    const path = pathText(field.subarray(tab + 1));
    const [mode = '', , id = ''] = field.toString('latin1', 0, tab).split(' ');
    if (wanted.has(path)) entries.set(path, { mode, id });
  };
  const ran = await expectGit(runner, { cwd: root, args: ['ls-tree', '-r', '-z', '--full-tree', head], onField });
  return ran.ok ? ok(entries) : ran;
}

/** Sets these index entries, and removes paths without one. Conflict stages are removed. */
export async function putEntries(
  runner: GitRunner,
  { root, hash }: Repository,
  entries: ReadonlyMap<string, IndexEntry | null>,
): Promise<Result<null>> {
  const none = '0'.repeat(hash === 'sha1' ? 40 : 64);
  const line = (mode: string, id: string, path: string) => [
    Buffer.from(`${mode} ${id}\t`),
    pathBytes(path),
    Buffer.of(0),
  ];
  const input = Buffer.concat(
    [...entries].flatMap(([path, entry]) => [
      ...line('0', none, path),
      ...(entry === null ? [] : line(entry.mode, entry.id, path)),
    ]),
  );
  const ran = await writeIndex(runner, { cwd: root, args: ['update-index', '-z', '--index-info'], input });
  return ran.ok ? ok(null) : ran;
}

/** The bytes of a stored object. */
export async function readBlob(runner: GitRunner, { root }: Repository, id: string): Promise<Result<Buffer>> {
  const ran = await expectGit(runner, { cwd: root, args: ['cat-file', 'blob', id], mostBytes: 256 * 1024 * 1024 });
  return ran.ok ? ok(ran.value.stdout) : ran;
}

const mostBlobsAtOnce = 64;

/** The bytes of several objects, by id. Missing ones are left out. */
export async function readBlobs(
  runner: GitRunner,
  { root }: Repository,
  ids: readonly string[],
): Promise<Result<Map<string, Buffer>>> {
  const found = new Map<string, Buffer>();
  const wanted = [...new Set(ids)];
  for (let start = 0; start < wanted.length; start += mostBlobsAtOnce) {
    const input = `${wanted.slice(start, start + mostBlobsAtOnce).join('\n')}\n`;
    const run = { cwd: root, args: ['cat-file', '--batch'], input, mostBytes: 1024 * 1024 * 1024 };
    const ran = await expectGit(runner, run);
    if (!ran.ok) return ran;
    const { stdout } = ran.value;
    for (let at = 0; at < stdout.length;) {
      const end = stdout.indexOf(10, at);
      const [id = '', kind, size] = stdout.toString('latin1', at, end).split(' ');
      at = end + 1;
      if (kind !== 'blob') continue;
      found.set(id, stdout.subarray(at, at + Number(size)));
      at += Number(size) + 1;
    }
  }
  return ok(found);
}

/** Stores bytes unchanged. */
export async function writeBlob(runner: GitRunner, { root }: Repository, content: Buffer): Promise<Result<string>> {
  const args = ['hash-object', '-w', '--no-filters', '--stdin'];
  const ran = await expectGit(runner, { cwd: root, writes: true, args, input: content });
  return ran.ok ? ok(ran.value.stdout.toString().trim()) : ran;
}
