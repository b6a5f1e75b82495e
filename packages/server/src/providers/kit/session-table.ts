import type { PermissionAnswer, SendOptions } from '@liminal/contracts';
import type { CliProvider } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { SessionHub } from './session-hub.ts';

/** What every agent's session can do while it is open. */
type OpenSession = {
  readonly isAlive: boolean;
  readonly pid?: number | undefined;
  steer(message: string, options: SendOptions): void | Promise<void>;
  cancel(): Promise<void>;
  answer(answer: PermissionAnswer): void;
  hasBackgroundWork(): boolean;
};

/** What a provider knows about one session: its listeners, and the session itself while it is open. */
export type SessionEntry<Session> = {
  readonly hub: SessionHub;
  session?: Session | undefined;
  isKilled: boolean;
};

/** The methods of a provider that only look up a session and call it. */
type SessionCalls = Required<
  Pick<
    CliProvider,
    | 'isAlive'
    | 'processOf'
    | 'steer'
    | 'cancelTurn'
    | 'resolvePermission'
    | 'hasBackgroundWork'
    | 'onUpsert'
    | 'onTurn'
    | 'onClosed'
    | 'onPermission'
    | 'onSessionInfo'
  >
>;

export type SessionTableOptions<Entry> = {
  readonly agentName: () => string;
  readonly newEntry: () => Entry;
  /** The session is open here, but must be reopened before it accepts another message. */
  readonly hasCrashed: (entry: Entry) => boolean;
};

/** Every session a provider was asked about. */
export type SessionTable<Session, Entry> = {
  find(sessionId: string): Entry | undefined;
  /** The entry of a session, created if there is none: listeners may come before the session is opened. */
  entryOf(sessionId: string): Entry;
  /** A session that accepts messages; throws a `ProviderError` that says why it doesn't. */
  open(sessionId: string): Session;
  entries(): readonly Entry[];
  remove(sessionId: string): void;
  readonly calls: SessionCalls;
};

export function createSessionTable<Session extends OpenSession, Entry extends SessionEntry<Session>>({
  agentName,
  newEntry,
  hasCrashed,
}: SessionTableOptions<Entry>): SessionTable<Session, Entry> {
  const entries = new Map<string, Entry>();
  const find = (sessionId: string): Entry | undefined => entries.get(sessionId);

  function entryOf(sessionId: string): Entry {
    const entry = entries.get(sessionId) ?? newEntry();
    entries.set(sessionId, entry);
    return entry;
  }

  const notOpen = (sessionId: string): ProviderError =>
    new ProviderError('SESSION_NOT_FOUND', `${agentName()} has no open session "${sessionId}".`);

  function open(sessionId: string): Session {
    const entry = find(sessionId);
    if (entry?.isKilled) throw new ProviderError('SESSION_DEAD', 'This session was ended. Reopen it to continue.');
    if (!entry?.session) throw notOpen(sessionId);
    if (hasCrashed(entry)) throw notRunning(agentName());
    return entry.session;
  }

  return {
    find,
    entryOf,
    open,
    entries: () => [...entries.values()],
    remove: (sessionId) => void entries.delete(sessionId),
    calls: {
      isAlive: (sessionId) => find(sessionId)?.session?.isAlive ?? false,
      processOf: (sessionId) => find(sessionId)?.session?.pid,
      steer: async (sessionId, message, options = {}) => open(sessionId).steer(message, options),
      async cancelTurn(sessionId) {
        const entry = find(sessionId);
        if (!entry?.session && !entry?.isKilled) throw notOpen(sessionId);
        await entry.session?.cancel();
      },
      resolvePermission: async (sessionId, answer) => open(sessionId).answer(answer),
      hasBackgroundWork: (sessionId) => find(sessionId)?.session?.hasBackgroundWork() ?? false,
      onUpsert: (sessionId, listener) => entryOf(sessionId).hub.upserts.listen(listener),
      onTurn: (sessionId, listener) => entryOf(sessionId).hub.turns.listen(listener),
      onClosed: (sessionId, listener) => entryOf(sessionId).hub.closed.listen(listener),
      onPermission: (sessionId, listener) => entryOf(sessionId).hub.permissions.listen(listener),
      onSessionInfo: (sessionId, listener) => entryOf(sessionId).hub.onInfo(listener),
    },
  };
}

export const notRunning = (agentName: string, cause?: unknown): ProviderError =>
  new ProviderError('PROCESS_CRASH', `${agentName} is no longer running. Reopen the session to continue.`, cause);
