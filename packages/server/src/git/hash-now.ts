import { join } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
import type { ChangedEntry } from './changed-entries.ts';
import { anyLineEndings } from './git-environment.ts';
import { hasEscapes } from './path-text.ts';
import type { Repository } from './repository.ts';
import { expectGit, type GitRunner } from './run-git.ts';
import { isLinkMode, readWorkingFile } from './working-files.ts';

export type Now = Pick<ChangedEntry, 'newId' | 'newMode'>;
export type HashNow = (path: string) => Promise<Result<Now>>;

/** Stores the current content of a file as git would, with line endings and filters applied. */
export function createHashNow(runner: GitRunner, { folder, prefix, root }: Repository): HashNow {
  return async (path) => {
    const file = await readWorkingFile(folder, path);
    if (!file.ok) return file;
    if (file.value === null) return ok({ newId: null, newMode: '000000' });
    const { content, mode } = file.value;
    // A name that isn't UTF-8 can't be an argument, so its attributes aren't looked up.
    const isRaw = isLinkMode(mode) || hasEscapes(path);
    const how = isRaw ? ['--no-filters'] : [`--path=${join(prefix, path)}`];
    const args = ['hash-object', '-w', ...how, '--stdin'];
    const ran = await expectGit(runner, { cwd: root, env: anyLineEndings, writes: true, args, input: content });
    if (!ran.ok) return ran;
    const newMode = isLinkMode(mode) ? '120000' : (mode & 0o100) !== 0 ? '100755' : '100644';
    return ok({ newId: ran.value.stdout.toString().trim(), newMode });
  };
}
