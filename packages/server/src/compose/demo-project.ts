import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeRepository } from '../git/make-repository.ts';
import type { GitRunner } from '../git/run-git.ts';
import { scratchFiles } from '../providers/demo/scratch-files.ts';

/** The scratch project of the demo, the only folder where the demo agent changes files. */
export const demoFolderOf = (dataDir: string): string => join(dataDir, 'demo-project');

const firstCommit = 'Begin the demo shop';

/** Creates the scratch project on first use: a few files in a repository with one commit, or just files without git. */
export function createDemoProject(dataDir: string, runner: GitRunner): () => Promise<string> {
  const folder = demoFolderOf(dataDir);
  let making: Promise<void> | null = null;

  async function make(): Promise<void> {
    if (existsSync(folder) && readdirSync(folder).length > 0) return;
    // Created next to its final path and then renamed, so it never exists half done.
    const fresh = `${folder}.new`;
    rmSync(fresh, { recursive: true, force: true });
    for (const [path, text] of Object.entries(scratchFiles)) {
      mkdirSync(dirname(join(fresh, path)), { recursive: true });
      writeFileSync(join(fresh, path), text);
    }
    const made = await makeRepository(runner, fresh, firstCommit);
    // Remove an incomplete repository. The review then shows what is missing.
    if (!made.ok) rmSync(join(fresh, '.git'), { recursive: true, force: true });
    renameSync(fresh, folder);
  }

  return async () => {
    making ??= make().finally(() => (making = null));
    await making;
    return folder;
  };
}
