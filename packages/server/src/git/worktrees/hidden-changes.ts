import { readlink } from 'node:fs/promises';
import { ok, type Result } from '@liminal/contracts';
import { hasEscapes, pathIn, pathText } from '../path-text.ts';
import { blobId, type Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { lookAt } from './look-at.ts';
import { isHidden } from './parked-files.ts';

/** Whether a file whose changes git doesn't show (assume-unchanged, skip-worktree) differs from the index. */
export async function hasHiddenChanges(runner: GitRunner, { root, hash }: Repository): Promise<Result<boolean>> {
  const ids = new Map<string, string>();
  const onField = (field: Buffer): void => {
    // A tag, mode, id and stage, then a tab and the path.
    const tab = field.indexOf(9);
    const [tag = '', , id = ''] = field.subarray(0, tab).toString('latin1').split(' ');
    if (isHidden(tag)) ids.set(pathText(field.subarray(tab + 1)), id);
  };
  const listed = await expectGit(runner, { cwd: root, args: ['ls-files', '-v', '--stage', '-z'], onField });
  if (!listed.ok) return listed;
  const files: string[] = [];
  const links: string[] = [];
  // A file that isn't there, as in a sparse checkout, has nothing to lose.
  await lookAt(root, ids.keys(), (path, found) => {
    if (found?.isFile()) files.push(path);
    if (found?.isSymbolicLink()) links.push(path);
  });
  for (const path of links) {
    const target = await readlink(pathIn(root, path), { encoding: 'buffer' });
    if (blobId(hash, target) !== ids.get(path)) return ok(true);
  }
  if (files.length === 0) return ok(false);
  // Git can't read these names here, so they count as changed.
  if (files.some((path) => path.includes('\n') || hasEscapes(path))) return ok(true);
  const hashed = await expectGit(runner, {
    cwd: root,
    timeoutMs: 10 * 60_000,
    args: ['hash-object', '--stdin-paths'],
    input: files.map((path) => `${path}\n`).join(''),
  });
  if (!hashed.ok) return hashed;
  const now = hashed.value.stdout.toString().trim().split('\n');
  return ok(files.some((path, place) => now[place] !== ids.get(path)));
}
