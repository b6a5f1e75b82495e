import { turnOfItem } from '@liminal/domain/items/item-id';
import type { PermissionRequest, SendOptions, TurnTerminal, UpsertObject } from '@liminal/contracts';
import type {
  CliProvider,
  CreateOptions,
  LoadOptions,
  PermissionSignal,
  ReplayedHistory,
  TurnListener,
  UpsertDetail,
  UpsertListener,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';

type Live = {
  alive: boolean;
  turnId: string | null;
  upsert: Set<UpsertListener>;
  turn: Set<TurnListener>;
  closed: Set<(reason: ProviderError) => void>;
  permission: Set<(signal: PermissionSignal) => void>;
};

/** A provider without an agent: the test sends every event. */
export type ScriptedProvider = CliProvider & {
  readonly sent: { sessionId: string; message: string; options: SendOptions | undefined }[];
  readonly created: CreateOptions[];
  readonly loaded: { sessionId: string; options: LoadOptions | undefined }[];
  readonly resolved: unknown[];
  cancelled: number;
  /** Set to make the next sends fail. */
  refuseSend: ProviderError | null;
  history: ReplayedHistory;
  start(sessionId: string, turnId?: string, initiator?: 'agent'): void;
  say(sessionId: string, itemId: string, content: string, status?: UpsertObject['status'], how?: UpsertDetail): void;
  upsert(sessionId: string, upsert: UpsertObject, how?: UpsertDetail): void;
  end(sessionId: string, terminal?: Partial<TurnTerminal>): void;
  ask(sessionId: string, request: PermissionRequest): void;
  die(sessionId: string): void;
};

const when = '2026-01-01T00:00:00.000Z';

export function createScriptedProvider(
  cliType = 'scripted',
  overrides: Partial<CliProvider> = {},
  /** The prefix of its session ids. */
  idPrefix = cliType,
): ScriptedProvider {
  const sessions = new Map<string, Live>();
  let made = 0;
  const live = (sessionId: string): Live => {
    let session = sessions.get(sessionId);
    if (!session) {
      session = {
        alive: true,
        turnId: null,
        upsert: new Set(),
        turn: new Set(),
        closed: new Set(),
        permission: new Set(),
      };
      sessions.set(sessionId, session);
    }
    return session;
  };
  const listen = <Listener>(set: Set<Listener>, listener: Listener) => {
    set.add(listener);
    return () => void set.delete(listener);
  };

  const provider: ScriptedProvider = {
    cliType,
    name: 'Scripted',
    capabilities: {
      load: true,
      discover: true,
      images: true,
      steer: false,
      fork: false,
      models: false,
      modes: false,
      efforts: false,
      permissions: true,
      prepare: true,
      untrustedFolders: true,
    },
    sent: [],
    created: [],
    loaded: [],
    resolved: [],
    cancelled: 0,
    refuseSend: null,
    history: { turns: [], entries: [] },
    availability: async () => ({ available: true }),
    async createSession(options) {
      provider.created.push(options);
      const sessionId = `${idPrefix}-${++made}`;
      live(sessionId);
      return { sessionId, cliType };
    },
    async loadSession(sessionId, options) {
      const session = sessions.get(sessionId);
      if (session?.alive) return { sessionId, cliType };
      provider.loaded.push({ sessionId, options });
      live(sessionId).alive = true;
      return { sessionId, cliType };
    },
    async sendMessage(sessionId, message, options) {
      if (provider.refuseSend) throw provider.refuseSend;
      if (!live(sessionId).alive) throw new ProviderError('PROCESS_CRASH', 'The agent stopped.');
      provider.sent.push({ sessionId, message, options });
      live(sessionId).turnId = options?.turnId ?? 'own';
      return { turnId: options?.turnId ?? 'own' };
    },
    async cancelTurn(sessionId) {
      provider.cancelled += 1;
      provider.end(sessionId, { type: 'turn_complete', status: 'cancelled' });
    },
    async killSession(sessionId) {
      live(sessionId).alive = false;
    },
    isAlive: (sessionId) => sessions.get(sessionId)?.alive ?? false,
    onUpsert: (sessionId, listener) => listen(live(sessionId).upsert, listener),
    onTurn: (sessionId, listener) => listen(live(sessionId).turn, listener),
    onClosed: (sessionId, listener) => listen(live(sessionId).closed, listener),
    onPermission: (sessionId, listener) => listen(live(sessionId).permission, listener),
    async resolvePermission(_sessionId, answer) {
      provider.resolved.push(answer);
    },
    listSessions: async () => [
      { sessionId: 'found-1', cliType, title: 'Made in a terminal', updatedAt: when, size: 10 },
    ],
    readHistory: async () => provider.history,
    close: async () => {},

    start(sessionId, turnId, initiator) {
      const session = live(sessionId);
      session.turnId = turnId ?? session.turnId;
      const event = {
        type: 'turn_started',
        turnId: session.turnId ?? 'own',
        sessionId,
        modelId: 'm',
        providerId: cliType,
        ...(initiator ? { initiator } : {}),
      } as const;
      for (const listener of session.turn) listener(event);
    },
    say(sessionId, itemId, content, status = 'update', how) {
      const turnId = turnOfItem(itemId);
      provider.upsert(
        sessionId,
        {
          type: 'message',
          turnId,
          sessionId,
          itemId,
          sourceTimestamp: when,
          emittedAt: when,
          status,
          content,
          origin: 'agent',
        },
        how,
      );
    },
    upsert(sessionId, upsert, how) {
      for (const listener of live(sessionId).upsert) listener(upsert, how);
    },
    end(sessionId, terminal) {
      const session = live(sessionId);
      if (session.turnId === null) return;
      const isError = terminal?.type === 'turn_error';
      const event = {
        type: 'turn_complete',
        ...(isError ? {} : { status: 'completed' }),
        turnId: session.turnId,
        sessionId,
        ...terminal,
      } as TurnTerminal;
      session.turnId = null;
      for (const listener of session.turn) listener(event);
    },
    ask(sessionId, request) {
      for (const listener of live(sessionId).permission) listener({ state: 'open', request });
    },
    die(sessionId) {
      const session = live(sessionId);
      session.alive = false;
      for (const listener of session.closed) listener(new ProviderError('PROCESS_CRASH', 'The agent ended (SIGKILL).'));
    },
    ...overrides,
  };
  return provider;
}
