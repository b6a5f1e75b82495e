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
  readonly open: (
    projectDir: string,
    wanted: WantedLoad,
    options: ProviderOptions | undefined,
    signal: AbortSignal,
  ) => Promise<ProviderSession>;
  /** Drops other state when a session is ended. */
  readonly forget?: (entry: Entry) => void;
};

/** Reopens known sessions, one load of each at a time, and ends them, even while they are opening. */
export type SessionLoads = {
  load(sessionId: string, options: LoadOptions): Promise<ProviderSession>;
  kill(sessionId: string): Promise<void>;
  /** The folder of a session; throws `PROJECT_DIR_INVALID` if it is unknown. */
  folderOf(sessionId: string, options: LoadOptions): string;
  /** The server is shutting down. */
  abortAll(): void;
};

export function createSessionLoads<Entry extends LoadableEntry>({
  cliType,
  find,
  open,
  forget,
}: SessionLoadsOptions<Entry>): SessionLoads {
  /** Sessions being opened, and how to stop them. */
  const loading = new Map<string, { readonly opening: Promise<ProviderSession>; readonly stop: AbortController }>();

  function folderOf(sessionId: string, options: LoadOptions): string {
    const projectDir = options.projectDir ?? find(sessionId)?.projectDir;
    if (projectDir !== undefined) return projectDir;
    throw new ProviderError('PROJECT_DIR_INVALID', 'Set the folder in which to open the session.');
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
      const begun = loading.get(sessionId);
      begun?.stop.abort();
      await begun?.opening.catch(() => {});
      const entry = find(sessionId);
      if (!entry) return;
      const { session } = entry;
      Object.assign(entry, { session: undefined, isKilled: true });
      forget?.(entry);
      await session?.kill();
    },
    abortAll() {
      for (const { stop } of loading.values()) stop.abort();
    },
  };
}
