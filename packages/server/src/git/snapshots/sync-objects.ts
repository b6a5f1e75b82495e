import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { fieldsOf } from '../nul-fields.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';

const submodule = '160000';

/** Everything one tree has and an earlier one doesn't, including the tree itself. */
export async function objectsSince(
  runner: GitRunner,
  { root }: Repository,
  earlier: string,
  tree: string,
): Promise<Result<ReadonlySet<string>>> {
  const args = ['diff-tree', '-r', '-t', '--raw', '-z', '--no-abbrev', '--no-renames', earlier, tree];
  const ran = await expectGit(runner, { cwd: root, args });
  return ran.ok ? ok(new Set([tree, ...newIds(fieldsOf(ran.value.stdout))])) : ran;
}

/**
 * Syncs these objects to disk. The first sync usually writes the others too, so this takes a fraction of the time git
 * needs to sync each one as it writes it.
 */
export async function syncObjects({ commonDir }: Repository, ids: ReadonlySet<string>): Promise<Result<null>> {
  try {
    await Promise.all([...ids].map((id) => syncFile(join(commonDir, 'objects', id.slice(0, 2), id.slice(2)))));
    return ok(null);
  } catch (error) {
    return fail('GIT_FAILED', `Git's objects couldn't be synced to disk (${(error as Error).message}).`);
  }
}

/** The new ids in pairs of a `--raw` line and a path. */
function* newIds(fields: readonly Buffer[]): Generator<string> {
  for (let at = 0; at < fields.length; at += 2) {
    const [, mode = '', , id = '', status] = fields[at]?.toString('latin1').split(' ') ?? [];
    if (status !== 'D' && mode !== submodule) yield id;
  }
}

/** A missing object is in a pack, which git syncs as a whole. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return;
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
