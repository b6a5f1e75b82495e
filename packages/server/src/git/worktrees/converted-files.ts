import { ok, type Result } from '@liminal/contracts';
import { pathBytes, pathTexts } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { convertsAnywhere, isAttributesPath } from '../snapshots/conversions.ts';
import { nulList } from '../snapshots/private-index.ts';
import { createSettingsReader } from '../snapshots/repository-settings.ts';

const longMs = 10 * 60_000;

/**
 * Tracked files whose bytes may differ from what a checkout would write, although git considers them unchanged. Git
 * reads every file to tell, so it is asked only if a setting or an attributes file may convert anything.
 */
export async function convertedFiles(
  runner: GitRunner,
  repository: Repository,
  tracked: readonly string[],
  others: readonly string[],
): Promise<Result<string[]>> {
  const converts =
    tracked.some(isAttributesPath) ||
    others.some(isAttributesPath) ||
    (await convertsAnywhere(await createSettingsReader(runner)(repository)));
  if (!converts) return ok([]);
  const { root } = repository;
  const setting = async (name: string): Promise<Result<string>> => {
    const ran = await runner({ cwd: root, args: ['config', '--get', name] });
    return ran.ok ? ok(ran.value.stdout.toString().trim()) : ran;
  };
  const [crlf, eol, listed, filtered] = await Promise.all([
    setting('core.autocrlf'),
    setting('core.eol'),
    expectGit(runner, { cwd: root, args: ['ls-files', '--eol', '--cached', '-z'], timeoutMs: longMs }),
    filteredFiles(runner, root, tracked),
  ]);
  if (!crlf.ok) return crlf;
  if (!eol.ok) return eol;
  if (!listed.ok) return listed;
  if (!filtered.ok) return filtered;
  const writesCrlf = /^(true|yes|on|1)$/i.test(crlf.value) || /^crlf$/i.test(eol.value);
  const lineEnds = pathTexts(listed.value.stdout).flatMap((line) => {
    const tab = line.indexOf('\t');
    return writesCrlf || mayBeConverted(line.slice(0, tab)) ? [line.slice(tab + 1)] : [];
  });
  return ok([...lineEnds, ...filtered.value]);
}

const attributes = ['filter', 'ident', 'working-tree-encoding'];

/** Files that git rewrites in other ways. A filter may drop what it doesn't want to store. */
async function filteredFiles(runner: GitRunner, root: string, tracked: readonly string[]): Promise<Result<string[]>> {
  const input = nulList(tracked.map(pathBytes));
  const args = ['check-attr', '-z', '--stdin', ...attributes];
  const ran = await expectGit(runner, { cwd: root, args, input, timeoutMs: longMs });
  if (!ran.ok) return ran;
  const fields = pathTexts(ran.value.stdout);
  const found = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (!/^(unspecified|unset)$/.test(fields[at + 2] ?? '')) found.add(fields[at] ?? '');
  return ok([...found]);
}

/** Attributes under which a checkout writes an LF-only file, or a binary one, exactly as stored. */
const keepsLf = /^(-text|text(=auto)?( eol=lf)?)?$/;
const keepsBinary = /^(-text|text=auto( eol=\w+)?)?$/;

/**
 * Whether a checkout that writes LF may produce other bytes than the file has, judged by its line of `ls-files --eol`.
 * True in doubt: keeping identical bytes costs nothing.
 */
export function mayBeConverted(about: string): boolean {
  const [, index = '', working = '', how = ''] = /^i\/(\S*)\s+w\/(\S*)\s+attr\/(.*?)\s*$/.exec(about) ?? [];
  if (index !== working) return true;
  if (working === '-text') return !keepsBinary.test(how);
  return working === 'crlf' || working === 'mixed' || !keepsLf.test(how);
}
