import type { ApiResult, RouteCalls } from '@liminal/client/call-routes';
import { isWithin, movedPath } from '@liminal/domain/text/moved-path';
import type { Storage } from '../../browser/storage.ts';

/** The folder of a project, or of one of its worktrees. */
export type EditedFolder = { readonly projectId: string; readonly worktreeId?: string | undefined };

/** The keys in the browser's storage of edits that the server doesn't have yet are this and the path of the file. */
export const unsentPrefix = ({ projectId, worktreeId = '' }: EditedFolder): string =>
  `liminal.file.${projectId}.${worktreeId}.`;

/** Files of one folder that have requests on their way, or edits that aren't sent yet. */
export type UnsentEdits = {
  readonly prefix: string;
  /** Waits for the requests of files at or below a path, and sends their edits. */
  readonly flush: (path: string) => Promise<void>;
  /** The move that `flush` was for has ended. */
  readonly moveEnded: (path: string, isMoved: boolean) => void;
};

export type FileMoves = ReturnType<typeof createFileMoves>;
type FileMovesDeps = { readonly api: Pick<RouteCalls['file'], 'move'>; readonly storage: Storage };

/**
 * Moves files with their unsaved edits. The server moves those it has. Edits that it doesn't have yet would arrive at a
 * path where no file is, so they are sent before, and whatever remains moves to the new path in the browser's storage.
 */
export function createFileMoves({ api, storage }: FileMovesDeps) {
  const unsent = new Set<UnsentEdits>();
  const moving = new Set<{ readonly prefix: string; readonly from: string }>();
  return {
    /** Moves wait for these from now on. */
    add: (edits: UnsentEdits): void => void unsent.add(edits),
    remove: (edits: UnsentEdits): void => void unsent.delete(edits),
    isMoving: (prefix: string, path: string): boolean =>
      [...moving].some((move) => move.prefix === prefix && isWithin(path, move.from)),
    async move(folder: EditedFolder, from: string, to: string): Promise<ApiResult<unknown>> {
      const { projectId, worktreeId } = folder;
      const prefix = unsentPrefix(folder);
      const ofFolder = (): UnsentEdits[] => [...unsent].filter((edits) => edits.prefix === prefix);
      const move = { prefix, from };
      moving.add(move);
      await Promise.all(ofFolder().map((edits) => edits.flush(from)));
      const reply = await api.move(projectId, { from, to, ...(worktreeId !== undefined && { worktreeId }) });
      if (reply.ok) moveUnsent(storage, prefix, from, to);
      moving.delete(move);
      for (const edits of ofFolder()) edits.moveEnded(from, reply.ok);
      return reply;
    },
  };
}

function moveUnsent(storage: Storage, prefix: string, from: string, to: string): void {
  if (from === to) return;
  for (const key of storage.keys()) {
    const next = key.startsWith(prefix) ? movedPath(key.slice(prefix.length), from, to) : null;
    if (next === null) continue;
    storage.write(`${prefix}${next}`, storage.read(key));
    storage.write(key, null);
  }
}
