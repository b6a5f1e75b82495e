import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeRepository } from '../git/make-repository.ts';
import type { GitRunner } from '../git/run-git.ts';
import { scratchFiles } from '../providers/demo/scratch-files.ts';

/** The scratch project of the demo, the only folder in which the demo agent touches a file. */
export const demoFolderOf = (dataDir: string): string => join(dataDir, 'demo-project');

const firstCommit = 'Begin the demo shop';

/** The scratch project, made on first use: a few files in a repository with one commit, or as files alone without git. */
export function createDemoProject(dataDir: string, runner: GitRunner): () => Promise<string> {
  const folder = demoFolderOf(dataDir);
  let making: Promise<void> | null = null;

  async function make(): Promise<void> {
    if (existsSync(folder) && readdirSync(folder).length > 0) return;
    // Made beside and moved into place, so it is there whole or not at all.
    const fresh = `${folder}.new`;
    rmSync(fresh, { recursive: true, force: true });
    for (const [path, text] of Object.entries(scratchFiles)) {
      mkdirSync(dirname(join(fresh, path)), { recursive: true });
      writeFileSync(join(fresh, path), text);
    }
    const made = await makeRepository(runner, fresh, firstCommit);
    // Half a repository helps nobody; the review then says what is missing.
    if (!made.ok) rmSync(join(fresh, '.git'), { recursive: true, force: true });
    renameSync(fresh, folder);
  }

  return async () => {
    making ??= make().finally(() => (making = null));
    await making;
    return folder;
  };
}
