import type { Worktree } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import type { ReadMessage } from '@liminal/client/read-message';
import type { Api } from '../../connection/api.ts';
import { createCell, type Cell } from '../base/cell.ts';

export type KnownWorktrees = {
  readonly worktrees: ReadonlyMap<string, Worktree>;
  /** Projects whose full list has loaded. */
  readonly listed: ReadonlySet<string>;
  /** Why a list couldn't be loaded, by project. */
  readonly failures: ReadonlyMap<string, ApiFailure>;
};

export type WorktreeStore = {
  readonly known: Cell<KnownWorktrees>;
  /** Subscribes to changes. */
  readonly follow: () => void;
  /** Loads all worktrees of a project, and subscribes to their changes. */
  readonly list: (projectId: string) => Promise<void>;
  /** Loads one worktree; null if there is none. */
  readonly read: (worktreeId: string) => Promise<Worktree | null>;
  /** Reloads a list after a lost connection, until the returned function is called. */
  readonly watch: (projectId: string) => () => void;
  readonly connected: () => void;
  /** True if the message was about worktrees and was handled. */
  readonly hear: (message: ReadMessage) => boolean;
};

/** The worktrees this page knows. They change by themselves: while they are created, set up, parked and restored. */
export function createWorktreeStore(api: Pick<Api['worktree'], 'list' | 'read'>, follow: () => void): WorktreeStore {
  const known = createCell<KnownWorktrees>({ worktrees: new Map(), listed: new Set(), failures: new Map() });
  const watched: string[] = [];
  const put = (changed: readonly Worktree[], removed: readonly string[] = []): void =>
    known.update((held) => {
      const worktrees = new Map(held.worktrees);
      for (const worktree of changed) worktrees.set(worktree.worktreeId, worktree);
      for (const worktreeId of removed) worktrees.delete(worktreeId);
      return { ...held, worktrees };
    });
  const list = async (projectId: string): Promise<void> => {
    follow();
    const reply = await api.list(projectId);
    known.update((held) => {
      const failures = new Map(held.failures);
      if (!reply.ok) return { ...held, failures: failures.set(projectId, reply.failure) };
      failures.delete(projectId);
      const others = [...held.worktrees].filter(([, worktree]) => worktree.projectId !== projectId);
      const read = reply.value.worktrees.map((worktree) => [worktree.worktreeId, worktree] as const);
      return { worktrees: new Map([...others, ...read]), listed: new Set([...held.listed, projectId]), failures };
    });
  };
  return {
    known,
    follow,
    list,
    async read(worktreeId) {
      follow();
      const reply = await api.read(worktreeId);
      if (reply.ok) put([reply.value]);
      return reply.ok ? reply.value : null;
    },
    watch(projectId) {
      watched.push(projectId);
      void list(projectId);
      return () => void watched.splice(watched.indexOf(projectId), 1);
    },
    connected() {
      for (const projectId of new Set(watched)) void list(projectId);
    },
    hear(message) {
      if (message.type !== 'worktree:changed') return false;
      put(message.worktrees, message.removed);
      return true;
    },
  };
}
