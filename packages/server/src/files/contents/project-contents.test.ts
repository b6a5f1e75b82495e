import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileDrafts } from './file-drafts.ts';
import { createProjectContents, type ProjectContentsDeps } from './project-contents.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'liminal-moves-'));
  for (const folder of ['project', 'worktree']) {
    mkdirSync(join(root, folder, 'src'), { recursive: true });
    writeFileSync(join(root, folder, 'src/a.ts'), 'one\n');
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Only what moves and drafts need. */
const openContents = () =>
  createProjectContents({
    folderOf: async (_projectId, worktreeId) =>
      ok({ dir: join(root, worktreeId === undefined ? 'project' : 'worktree'), trusted: false }),
    drafts: createFileDrafts({ folder: join(root, 'drafts'), now: () => '2026-01-01T00:00:00.000Z' }),
  } as Partial<ProjectContentsDeps> as ProjectContentsDeps);

describe('FL-3: unsaved edits of a file that is moved', () => {
  const textAt = async (path: string, worktreeId?: string): Promise<string | null> => {
    const reply = await openContents().draft('p', { path, worktreeId });
    return reply.ok ? (reply.value.draft?.text ?? null) : null;
  };
  const edit = (text: string, worktreeId?: string) =>
    openContents().saveDraft('p', { path: 'src/a.ts', worktreeId }, { text, etag: 'e', replaces: null });

  it('follow it in the folder where it moves: the project’s own, or a worktree', async () => {
    await edit('in the project');
    await edit('in the worktree', 'w');
    await openContents().move('p', 'src', 'lib', 'w');
    expect([await textAt('src/a.ts', 'w'), await textAt('lib/a.ts', 'w')]).toEqual([null, 'in the worktree']);
    expect([await textAt('src/a.ts'), await textAt('lib/a.ts')]).toEqual(['in the project', null]);
    await openContents().move('p', 'src/a.ts', 'b.ts');
    expect([await textAt('src/a.ts'), await textAt('b.ts')]).toEqual([null, 'in the project']);
  });

  it('stay if it can’t be moved', async () => {
    await edit('mine');
    writeFileSync(join(root, 'project/b.ts'), 'another');
    expect(await openContents().move('p', 'src/a.ts', 'b.ts')).toMatchObject({ failure: { code: 'FILE_CHANGED' } });
    expect([await textAt('src/a.ts'), await textAt('b.ts')]).toEqual(['mine', null]);
    expect(existsSync(join(root, 'project/src/a.ts'))).toBe(true);
  });
});
