import { ok, type Result } from '@liminal/contracts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';

const mostAtOnce = 200;

/** Calls back once for each stored object, in any order. Missing ones are left out. */
export async function readContents(
  runner: GitRunner,
  { root }: Repository,
  ids: readonly string[],
  onContent: (id: string, content: Buffer) => void,
): Promise<Result<null>> {
  const all = [...new Set(ids)];
  for (let at = 0; at < all.length; at += mostAtOnce) {
    const ran = await expectGit(runner, {
      cwd: root,
      args: ['cat-file', '--batch'],
      input: `${all.slice(at, at + mostAtOnce).join('\n')}\n`,
      mostBytes: 2 * 1024 * 1024 * 1024,
      timeoutMs: 10 * 60_000,
    });
    if (!ran.ok) return ran;
    const { stdout } = ran.value;
    for (let from = 0; from < stdout.length;) {
      const end = stdout.indexOf(10, from);
      const [id = '', kind, size] = stdout.toString('latin1', from, end).split(' ');
      from = end + 1;
      if (size === undefined) continue;
      if (kind === 'blob') onContent(id, stdout.subarray(from, from + Number(size)));
      from += Number(size) + 1;
    }
  }
  return ok(null);
}
