import { lstat, readFile, readlink } from 'node:fs/promises';
import { fail, ok, type Result } from '@liminal/contracts';
import { isUtf8 } from 'node:buffer';
import { createEntryReader } from '../changed-entries.ts';
import { writeBlob } from '../index-entries.ts';
import { fieldsOf } from '../nul-fields.ts';
import { pathBytes, pathText } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';

/** What a checkout of the commit alone would not restore. */
export type ParkedFiles = {
  /** Files and links whose bytes must be kept. */
  readonly present: readonly string[];
  /** In the commit, but not in the folder. */
  readonly deleted: readonly string[];
  /** Tracked files with the commit's content but other permission bits. */
  readonly modes: readonly { readonly path: string; readonly mode: number }[];
  /** Nested untracked repositories, which can't be kept. */
  readonly nested: readonly string[];
};

export async function listParkedFiles(
  runner: GitRunner,
  repository: Repository,
  head: string,
  ignored: readonly string[],
): Promise<Result<ParkedFiles>> {
  const { root } = repository;
  const paths = async (...args: string[]): Promise<Result<string[]>> => {
    const ran = await expectGit(runner, { cwd: root, args });
    return ran.ok ? ok(fieldsOf(ran.value.stdout).map(pathText)) : ran;
  };
  const changed = createEntryReader(0);
  const args = ['diff-index', '--raw', '-z', '--no-abbrev', '--no-renames', '--ignore-submodules=all', head];
  const [crlf, compared, staged, unstaged, others, tracked, marked, converted] = await Promise.all([
    runner({ cwd: root, args: ['config', '--get', 'core.autocrlf'] }),
    expectGit(runner, { cwd: root, args, onField: changed.push }),
    paths('diff-index', '--cached', '--name-only', '-z', '--no-renames', '--ignore-submodules=all', head),
    paths('diff-files', '--name-only', '-z', '--ignore-submodules=all'),
    paths('ls-files', '--others', '--exclude-standard', '-z'),
    paths('ls-files', '--cached', '-z', '--deduplicate'),
    paths('ls-files', '-v', '-z'),
    paths('ls-files', '--eol', '--cached', '-z'),
  ]);
  if (!crlf.ok) return crlf;
  if (!compared.ok) return compared;
  const writesCrlf = /^(true|yes|on|1)$/i.test(crlf.value.stdout.toString().trim());
  for (const each of [staged, unstaged, others, tracked, marked, converted]) if (!each.ok) return each;
  const value = (listed: Result<string[]>): string[] => (listed.ok ? listed.value : []);
  const known = new Set(value(tracked));
  const candidates = new Set<string>([
    ...changed.entries.map(({ path }) => path),
    ...value(staged),
    ...value(unstaged),
    ...value(others).filter((path) => !path.endsWith('/')),
    ...value(marked).flatMap((line) => (isHidden(line) ? [line.slice(2)] : [])),
    ...value(converted).flatMap((line) =>
      writesCrlf || mayBeConverted(line) ? [line.slice(line.indexOf('\t') + 1)] : [],
    ),
    ...ignored,
  ]);
  const present: string[] = [];
  const deleted: string[] = [];
  const inHead = new Set(changed.entries.flatMap(({ path, oldId }) => (oldId === null ? [] : [path])));
  for (const path of candidates) {
    const found = await lstat(pathIn(root, path)).catch(() => null);
    if (found?.isFile() || found?.isSymbolicLink()) present.push(path);
    else if (inHead.has(path) || known.has(path)) deleted.push(path);
  }
  const modes: { path: string; mode: number }[] = [];
  const usual = 0o666 & ~process.umask();
  const usualProgram = 0o777 & ~process.umask();
  for (const path of known) {
    if (candidates.has(path)) continue;
    const found = await lstat(pathIn(root, path)).catch(() => null);
    const bits = (found?.mode ?? 0) & 0o7777;
    if (found?.isFile() && bits !== usual && bits !== usualProgram) modes.push({ path, mode: found.mode });
  }
  const nested = value(others).filter((path) => path.endsWith('/'));
  return ok({ present: present.toSorted(), deleted: deleted.toSorted(), modes, nested });
}

export const pathIn = (root: string, path: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)]);

/** Files marked as assume-unchanged in the index. */
const isHidden = (line: string): boolean => {
  const tag = line.charAt(0);
  return tag === 'S' || tag !== tag.toUpperCase();
};

/**
 * A file that git considers unchanged may have other line endings than a checkout would write. It is kept wherever line
 * endings could be converted; identical bytes cost nothing.
 */
function mayBeConverted(line: string): boolean {
  const about = line.slice(0, line.indexOf('\t'));
  const [, index = '', working = '', attributes = ''] = /^i\/(\S*)\s+w\/(\S*)\s+attr\/(.*?)\s*$/.exec(about) ?? [];
  if (index === '-text' && working === '-text') return false;
  return (
    index !== working || (attributes !== '' && attributes !== '-text') || working === 'crlf' || working === 'mixed'
  );
}

/** Stores the bytes of files unchanged. Returns ids in the order of the paths. */
export async function storeFiles(
  runner: GitRunner,
  repository: Repository,
  paths: readonly string[],
): Promise<Result<{ readonly path: string; readonly mode: number; readonly id: string }[]>> {
  const { root } = repository;
  const stored: { path: string; mode: number; id: string }[] = [];
  const plain: { path: string; mode: number }[] = [];
  for (const path of paths) {
    const found = await lstat(pathIn(root, path)).catch(() => null);
    if (!found) return fail('STALE', `"${path}" disappeared while it was being saved. Nothing was removed. Try again.`);
    const isOdd = found.isSymbolicLink() || path.includes('\n') || !isUtf8(pathBytes(path));
    if (!isOdd) {
      plain.push({ path, mode: found.mode });
      continue;
    }
    const content = found.isSymbolicLink()
      ? await readlink(pathIn(root, path), { encoding: 'buffer' })
      : await readFile(pathIn(root, path));
    const id = await writeBlob(runner, repository, content);
    if (!id.ok) return id;
    stored.push({ path, mode: found.mode, id: id.value });
  }
  if (plain.length === 0) return ok(stored);
  const ran = await expectGit(runner, {
    cwd: root,
    writes: true,
    timeoutMs: 30 * 60_000,
    args: ['hash-object', '-w', '--no-filters', '--stdin-paths'],
    input: plain.map(({ path }) => `${root}/${path}\n`).join(''),
  });
  if (!ran.ok) return ran;
  const ids = ran.value.stdout.toString().trim().split('\n');
  return ok([...stored, ...plain.map(({ path, mode }, place) => ({ path, mode, id: ids[place] ?? '' }))]);
}
