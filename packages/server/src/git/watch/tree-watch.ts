import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { createFolderWatches, foldersOf } from './folder-watches.ts';
import type { Repository } from '../repository.ts';

/** What is watched: every file git sees, or only git's own files. */
export type Coverage = 'folder' | 'repository';

export type TreeWatch = {
  /** Resolves when the watches are set. */
  readonly ready: Promise<void>;
  coverage(): Coverage;
  /** If two calls return the same number, nothing changed in between. Null if that is unknown. */
  mark(): Promise<number | null>;
  stop(): void;
};

export type TreeWatchesDeps = {
  readonly listFiles: (folder: string) => Promise<readonly string[] | null>;
  readonly withoutIgnored: (folder: string, folders: readonly string[]) => Promise<readonly string[]>;
  /** How long the last list of this tree took. */
  readonly lastReadMs: (repository: Repository) => number;
  readonly mostFolders?: number;
  readonly isRecursive?: boolean;
};

const quietMs = 300;
const betweenMs = 2_000;
const timesRead = 5;
/** Git files that say nothing about changes, and our own. */
const gitNoise =
  /(\.lock|^(liminal|objects|logs|hooks|FETCH_HEAD|ORIG_HEAD|COMMIT_EDITMSG|gc\.log|gc\.pid|index\.stash.*))$/;

type Shared = {
  readonly listeners: Set<() => void>;
  readonly ready: Promise<void>;
  readonly coverage: () => Coverage;
  readonly mark: () => Promise<number | null>;
  readonly close: () => void;
};

/** Watches working trees. Callers that watch the same one share a watch, which ends with the last of them. */
export function createTreeWatches(deps: TreeWatchesDeps) {
  const { mostFolders = 8_192, isRecursive = process.platform !== 'linux' } = deps;
  const trees = new Map<string, Shared>();

  const begin = (repository: Repository): Shared => {
    const { folder, gitDir, commonDir } = repository;
    const listeners = new Set<() => void>();
    let coverage: Coverage = 'folder';
    let revision = 0;
    let isReady = false;
    let timer: NodeJS.Timeout | undefined;
    let notifiedAt = -Infinity;
    let waitingSince: number | null = null;

    const notify = (): void => {
      waitingSince = null;
      notifiedAt = performance.now();
      for (const listener of listeners) listener();
    };
    const onEvent = (): void => {
      revision += 1;
      // Events only say that something changed. Notify readers when it is quiet, but leave time between slow lists.
      const now = performance.now();
      waitingSince ??= now;
      const earliest = notifiedAt + Math.max(betweenMs, timesRead * deps.lastReadMs(repository));
      // A file that is written all the time is never quiet.
      const latest = Math.max(waitingSince + betweenMs, earliest);
      clearTimeout(timer);
      // `latest` may have passed while the event loop was busy.
      timer = setTimeout(notify, Math.max(0, Math.min(Math.max(now + quietMs, earliest), latest) - now)).unref();
    };
    const folders = createFolderWatches({
      root: folder,
      list: async () => {
        const files = await deps.listFiles(folder);
        return files && foldersOf(files);
      },
      withoutIgnored: (inside) => deps.withoutIgnored(folder, inside),
      onEvent,
      onGivenUp() {
        coverage = 'repository';
        onEvent();
      },
      mostFolders,
      isRecursive,
    });
    const own = [...new Set([gitDir, commonDir, join(commonDir, 'refs', 'heads')])].flatMap((path) =>
      watchGit(path, onEvent),
    );
    const ready = folders.start().then(() => void (isReady = true));
    ready.catch(() => {});
    return {
      listeners,
      ready,
      coverage: () => coverage,
      async mark() {
        // Events the system has already queued arrive in the next turn of the event loop.
        for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
        return isReady && coverage === 'folder' && folders.isSettled() ? revision : null;
      },
      close() {
        clearTimeout(timer);
        folders.close();
        for (const watcher of own) watcher.close();
      },
    };
  };

  return (repository: Repository, onChanged: () => void): TreeWatch => {
    const key = `${repository.gitDir}\n${repository.prefix}`;
    const shared = trees.get(key) ?? begin(repository);
    trees.set(key, shared);
    const listener = () => onChanged();
    shared.listeners.add(listener);
    return {
      ready: shared.ready,
      coverage: shared.coverage,
      mark: shared.mark,
      stop() {
        if (!shared.listeners.delete(listener) || shared.listeners.size > 0) return;
        trees.delete(key);
        shared.close();
      },
    };
  };
}

function watchGit(path: string, onEvent: () => void): FSWatcher[] {
  try {
    const watcher = watch(path, { persistent: false });
    watcher.on('error', () => watcher.close());
    watcher.on('change', (_kind, name) => void (gitNoise.test(String(name)) || onEvent()));
    return [watcher];
  } catch {
    return [];
  }
}
