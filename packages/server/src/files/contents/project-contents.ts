import { realpath } from 'node:fs/promises';
import {
  type AttachFileBody,
  fail,
  type FileDraft,
  type FileQuery,
  type FileReply,
  type GrepBody,
  type GrepLine,
  ok,
  type Result,
  type SaveDraftBody,
  type TreeReply,
} from '@liminal/contracts';
import type { Git } from '../../git/git.ts';
import { listFiles } from '../list-files.ts';
import type { AttachmentFolder } from './attachments.ts';
import type { FileDrafts } from './file-drafts.ts';
import type { Grep } from './grep-folder.ts';
import { listTree, type TreeMarks } from './list-tree.ts';
import { moveFile } from './move-file.ts';
import { readText } from './read-text.ts';
import { type SaveCondition, saveText } from './save-text.ts';
import type { Trash } from './trash.ts';

/** The folder a request means, and whether git may be used there. */
export type MeantFolder = { readonly dir: string; readonly trusted: boolean };
export type ProjectContentsDeps = {
  readonly folderOf: (projectId: string, worktreeId?: string) => Promise<Result<MeantFolder>>;
  readonly git: Pick<Git, 'open' | 'listFiles' | 'withoutIgnored'>;
  readonly trash: Trash;
  readonly drafts: FileDrafts;
  readonly attachments: AttachmentFolder;
  readonly grep: Grep;
};
export type ProjectContents = ReturnType<typeof createProjectContents>;
type At = { readonly path: string; readonly worktreeId?: string | undefined };

/** Reads and changes the files of projects for the user. */
export function createProjectContents({ folderOf, git, trash, drafts, attachments, grep }: ProjectContentsDeps) {
  const marks: TreeMarks = {
    async ignored(folder, paths) {
      const kept = new Set(await git.withoutIgnored(folder, paths));
      return new Set(paths.filter((path) => !kept.has(path)));
    },
    async changes(folder) {
      const tree = await git.open(folder);
      const listed = tree.ok ? await tree.value.changes({ kind: 'uncommitted' }) : tree;
      return new Map(listed.ok ? listed.value.entries.map(({ path, change }) => [path, change]) : []);
    },
  };
  /** Runs changes in one folder in order: of two based on the same version of a file, the second is refused. */
  const changing = new Map<string, Promise<unknown>>();
  async function inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = changing.get(key);
    const mine = (async () => {
      await before?.catch(() => {});
      return task();
    })();
    changing.set(key, mine);
    try {
      return await mine;
    } finally {
      if (changing.get(key) === mine) changing.delete(key);
    }
  }

  return {
    async tree(projectId: string, path = '', worktreeId?: string): Promise<Result<TreeReply>> {
      const folder = await folderOf(projectId, worktreeId);
      return folder.ok ? listTree(folder.value.dir, path, folder.value.trusted ? marks : null) : folder;
    },
    async read(projectId: string, query: FileQuery): Promise<Result<FileReply>> {
      const folder = await folderOf(projectId, query.worktreeId);
      return folder.ok ? readText(folder.value.dir, query) : folder;
    },
    async save(
      projectId: string,
      at: At,
      content: string,
      condition: SaveCondition,
    ): Promise<Result<{ etag: string }>> {
      const folder = await folderOf(projectId, at.worktreeId);
      if (!folder.ok) return folder;
      return inTurn(folder.value.dir, () => saveText(folder.value.dir, at.path, content, condition));
    },
    async attach(projectId: string, { name, data }: AttachFileBody): Promise<Result<{ path: string; size: number }>> {
      const folder = await folderOf(projectId);
      return folder.ok ? attachments.add(name, data) : folder;
    },
    async draft(projectId: string, at: At): Promise<Result<{ draft: FileDraft | null }>> {
      const folder = await folderOf(projectId, at.worktreeId);
      return folder.ok ? ok({ draft: await drafts.read(folder.value.dir, at.path) }) : folder;
    },
    async saveDraft(projectId: string, at: At, body: SaveDraftBody): Promise<Result<{ version: string }>> {
      const folder = await folderOf(projectId, at.worktreeId);
      return folder.ok ? inTurn(folder.value.dir, () => drafts.save(folder.value.dir, at.path, body)) : folder;
    },
    async removeDraft(projectId: string, at: At, version: string): Promise<Result<Record<string, never>>> {
      const folder = await folderOf(projectId, at.worktreeId);
      return folder.ok ? inTurn(folder.value.dir, () => drafts.remove(folder.value.dir, at.path, version)) : folder;
    },
    async remove(projectId: string, at: At): Promise<Result<{ undoId: string }>> {
      const folder = await folderOf(projectId, at.worktreeId);
      return folder.ok ? inTurn(folder.value.dir, () => trash.remove(folder.value.dir, at.path)) : folder;
    },
    async restore(projectId: string, undoId: string, worktreeId?: string): Promise<Result<Record<string, never>>> {
      const folder = await folderOf(projectId, worktreeId);
      return folder.ok ? inTurn(folder.value.dir, () => trash.restore(folder.value.dir, undoId)) : folder;
    },
    /** Drops deleted files that were kept long enough. */
    dropOldTrash: (): Promise<void> => trash.dropOld(),
    async move(
      projectId: string,
      from: string,
      to: string,
      worktreeId?: string,
    ): Promise<Result<Record<string, never>>> {
      const folder = await folderOf(projectId, worktreeId);
      if (!folder.ok) return folder;
      const { dir } = folder.value;
      return inTurn(dir, async () => {
        const moved = await moveFile(dir, from, to);
        if (moved.ok) await drafts.move(dir, from, to);
        return moved;
      });
    },
    /** Reports matches line by line until the signal aborts. */
    async grep(
      projectId: string,
      body: GrepBody,
      signal: AbortSignal,
    ): Promise<Result<(say: (line: GrepLine) => void) => Promise<void>>> {
      const found = await folderOf(projectId, body.worktreeId);
      if (!found.ok) return found;
      const folder = await realpath(found.value.dir).catch(() => null);
      if (folder === null) return fail('PROJECT_DIR_INVALID', `The folder ${found.value.dir} is gone.`);
      const files = async () => {
        const { paths } = await listFiles(folder, found.value.trusted ? git : null);
        return paths.filter((path) => !path.endsWith('/'));
      };
      return ok((say) => grep({ folder, body, files, signal, say }));
    },
  };
}
