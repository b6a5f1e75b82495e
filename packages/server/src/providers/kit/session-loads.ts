import type { ProviderSession } from '@liminal/contracts';
import type { LoadOptions, ProviderOptions } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { SessionEntry } from './session-table.ts';

type Loadable = { readonly isAlive: boolean; kill(): Promise<void> };
type LoadableEntry = SessionEntry<Loadable> & { projectDir?: string };
type WantedLoad = { readonly kind: 'load'; readonly sessionId: string; readonly unused: boolean };

export type SessionLoadsOptions<Entry> = {
  readonly cliType: string;
  readonly find: (sessionId: string) => Entry | undefined;
  readonly remove: (sessionId: string) => void;
  readonly open: (
    projectDir: string,
    wanted: WantedLoad,
    options: ProviderOptions | undefined,
    signal: AbortSignal,
  ) => Promise<ProviderSession>;
  /** Drops other state when a session is ended. */
  readonly onKill?: (entry: Entry) => void;
};

/** Reopens known sessions, one load of each at a time, and ends them, even while they are opening. */
export type SessionLoads = {
  load(sessionId: string, options: LoadOptions): Promise<ProviderSession>;
  kill(sessionId: string): Promise<void>;
  /** Ends a session and drops everything known about it, its listeners too. */
  forget(sessionId: string): Promise<void>;
  /** The folder of a session; throws `PROJECT_DIR_INVALID` if it is unknown. */
  folderOf(sessionId: string, options: LoadOptions): string;
  /** The server is shutting down. */
  abortAll(): void;
};

export function createSessionLoads<Entry extends LoadableEntry>({
  cliType,
  find,
  remove,
  open,
  onKill,
}: SessionLoadsOptions<Entry>): SessionLoads {
  /** Sessions being opened, and how to stop them. */
  const loading = new Map<string, { readonly opening: Promise<ProviderSession>; readonly stop: AbortController }>();

  function folderOf(sessionId: string, options: LoadOptions): string {
    const projectDir = options.projectDir ?? find(sessionId)?.projectDir;
    if (projectDir !== undefined) return projectDir;
    throw new ProviderError('PROJECT_DIR_INVALID', 'Set the folder in which to open the session.');
  }

  async function stopLoading(sessionId: string): Promise<void> {
    const begun = loading.get(sessionId);
    begun?.stop.abort();
    await begun?.opening.catch(() => {});
  }
  async function end(entry: Entry | undefined): Promise<void> {
    if (!entry) return;
    const { session } = entry;
    Object.assign(entry, { session: undefined, isKilled: true });
    onKill?.(entry);
    await session?.kill();
  }

  return {
    folderOf,
    async load(sessionId, options) {
      if (find(sessionId)?.session?.isAlive) return { sessionId, cliType };
      const projectDir = folderOf(sessionId, options);
      const begun = loading.get(sessionId);
      if (begun) return begun.opening;
      const stop = new AbortController();
      const wanted: WantedLoad = { kind: 'load', sessionId, unused: options.unused ?? false };
      const opening = open(projectDir, wanted, options.providerOptions, stop.signal)
        .catch((error: unknown) => {
          if (!stop.signal.aborted) throw error;
          throw new ProviderError('SESSION_DEAD', 'This session was ended while it was opening.', error);
        })
        .finally(() => loading.delete(sessionId));
      loading.set(sessionId, { opening, stop });
      return opening;
    },
    async kill(sessionId) {
      await stopLoading(sessionId);
      await end(find(sessionId));
    },
    async forget(sessionId) {
      const entry = find(sessionId);
      // Immediately, so the listeners of somebody who opens it again meanwhile stay.
      remove(sessionId);
      await stopLoading(sessionId);
      await end(entry);
    },
    abortAll() {
      for (const { stop } of loading.values()) stop.abort();
    },
  };
}
