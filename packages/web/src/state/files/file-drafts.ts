import type { ApiFailure, RouteCalls } from '@liminal/client/call-routes';
import type { FileDraft } from '@liminal/contracts';
import { isWithin } from '@liminal/domain/text/moved-path';
import { readJson, type Storage } from '../../browser/storage.ts';
import { unsentPrefix, type FileMoves, type UnsentEdits } from './file-moves.ts';

export type Edits = { readonly text: string; readonly etag: string };

export type FileDraftsDeps = {
  readonly api: Pick<RouteCalls['file'], 'draft' | 'saveDraft' | 'removeDraft'>;
  readonly storage: Storage;
  readonly moves: Pick<FileMoves, 'add' | 'remove' | 'isMoving'>;
  readonly projectId: string;
  readonly worktreeId?: string | undefined;
  /** Another browser saved edits of the same file that this one hasn't seen. */
  readonly onElsewhere: (path: string, draft: FileDraft) => void;
  readonly after?: (milliseconds: number, task: () => void) => () => void;
};

/** The drafts of an opened file: its edits, and those of another browser if they differ. */
export type FoundDraft = {
  readonly edits: Edits | null;
  readonly elsewhere: FileDraft | null;
  /** Why it isn't known whether there are any. */
  readonly failure?: ApiFailure;
};

const quietMs = 400;

type Unsent = Edits & { readonly version: string | null };

function asUnsent(value: unknown): Unsent | null {
  const { text, etag, version } = (value ?? {}) as Partial<Record<keyof Unsent, unknown>>;
  if (typeof text !== 'string' || typeof etag !== 'string') return null;
  return { text, etag, version: typeof version === 'string' ? version : null };
}

const wait = (milliseconds: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Stores edits of files on the server, so a reload or another device continues with them. Until the server has them,
 * the browser's own storage keeps them. If two browsers edit one file, neither overwrites edits it hasn't seen.
 */
export function createFileDrafts(deps: FileDraftsDeps) {
  const { api, storage, moves, projectId, worktreeId, onElsewhere, after = wait } = deps;
  const place = worktreeId === undefined ? {} : { worktreeId };
  const prefix = unsentPrefix(deps);
  const keyOf = (path: string): string => `${prefix}${path}`;
  /** The version of the server's draft that this page has last seen. */
  const versions = new Map<string, string>();
  const waiting = new Map<string, Edits | null>();
  const sending = new Set<string>();
  const timers = new Map<string, () => void>();
  const requests = new Set<{ readonly path: string; readonly done: Promise<unknown> }>();

  const readUnsent = (path: string) => readJson(storage, keyOf(path), asUnsent);
  const seen = (path: string, version: string | null): void => {
    if (version === null) versions.delete(path);
    else versions.set(path, version);
  };
  const plan = (path: string, milliseconds = quietMs): void => {
    timers.get(path)?.();
    timers.set(
      path,
      after(milliseconds, () => sendNow(path)),
    );
  };
  const sendNow = (path: string): void => {
    if (!moves.isMoving(prefix, path)) void track(path, send(path));
  };
  const queue = (path: string, edits: Edits | null): void => {
    waiting.set(path, edits);
    moves.add(unsent);
  };
  const rest = (): void => {
    if (waiting.size === 0 && requests.size === 0) moves.remove(unsent);
  };
  /** A move of the file waits for this request. */
  function track<T>(path: string, done: Promise<T>): Promise<T> {
    const request = { path, done };
    requests.add(request);
    moves.add(unsent);
    return done.finally(() => {
      requests.delete(request);
      rest();
    });
  }
  const waitingIn = (folder: string): string[] => [...waiting.keys()].filter((path) => isWithin(path, folder));
  const unsent: UnsentEdits = {
    prefix,
    async flush(folder) {
      await Promise.all([...requests].flatMap(({ path, done }) => (isWithin(path, folder) ? [done] : [])));
      await Promise.all(waitingIn(folder).map(send));
    },
    moveEnded(folder, isMoved) {
      for (const path of waitingIn(folder)) {
        if (!isMoved) plan(path);
        else {
          // The browser's storage has them at the new path.
          timers.get(path)?.();
          waiting.delete(path);
        }
      }
      rest();
    },
  };

  async function send(path: string): Promise<void> {
    const edits = waiting.get(path);
    if (edits === undefined || sending.has(path)) return;
    const version = versions.get(path) ?? null;
    sending.add(path);
    const reply =
      edits !== null
        ? await api.saveDraft(projectId, { path, ...place }, { ...edits, replaces: version })
        : version === null
          ? null
          : await api.removeDraft(projectId, { path, ...place, version });
    sending.delete(path);
    if (reply === null || reply.ok) seen(path, reply !== null && 'version' in reply.value ? reply.value.version : null);
    else if (reply.failure.code === 'STALE') {
      const held = await api.draft(projectId, { path, ...place });
      if (held.ok && held.value.draft !== null && edits !== null) onElsewhere(path, held.value.draft);
      // Discarding the user's edits doesn't discard those of another browser.
      if (edits === null) storage.write(keyOf(path), null);
      return;
    } else return;
    if (waiting.get(path) !== edits) return plan(path);
    waiting.delete(path);
    storage.write(keyOf(path), null);
  }

  return {
    async find(path: string): Promise<FoundDraft> {
      const [reply, held] = [await api.draft(projectId, { path, ...place }), readUnsent(path)];
      if (!reply.ok && held === null) return { edits: null, elsewhere: null, failure: reply.failure };
      const kept = reply.ok ? reply.value.draft : null;
      if (held === null || held.text === kept?.text) {
        seen(path, kept?.version ?? null);
        return { edits: kept, elsewhere: null };
      }
      const isOther = kept !== null && kept.version !== held.version;
      if (!isOther) {
        seen(path, reply.ok ? (kept?.version ?? null) : held.version);
        queue(path, held);
        plan(path);
      }
      return { edits: held, elsewhere: isOther ? kept : null };
    },
    /** The current edits of a file; null if there are none any more. */
    keep(path: string, edits: Edits | null): void {
      queue(path, edits);
      const version = versions.get(path) ?? null;
      storage.write(keyOf(path), edits === null ? null : JSON.stringify({ ...edits, version }));
      plan(path, edits === null ? 0 : quietMs);
    },
    track,
    /** Tries again to send edits that the server doesn't have, for example because it was gone. */
    sendAgain(path: string): void {
      if (waiting.has(path)) sendNow(path);
    },
    /** The user has seen this draft of another browser: the next save replaces it. */
    take: (path: string, { version }: FileDraft): void => seen(path, version),
    /** Whether all edits are on the server. */
    isKept: (path: string): boolean => !waiting.has(path),
    hasVersion: (path: string): boolean => versions.has(path),
  };
}
