import type { FirstMessage, SessionInfo, SessionMessage, SessionOptions } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import type { ApiFailure, ApiResult } from '@liminal/client/call-routes';
import { createCell, type Cell } from '../base/cell.ts';
import type { DraftStore } from './draft-store.ts';
import { createSharedList } from '../../browser/shared-list.ts';
import { readJson, type Storage } from '../../browser/storage.ts';
import { placeAfterFailure, placeToKeep, type NewWorktree } from './new-worktree.ts';

/** A session the user is about to start. The server doesn't know it before its first message is sent. */
export type NewSession = {
  readonly id: string;
  readonly projectId: string;
  readonly cliType: string;
  readonly madeAt: number;
  readonly options: SessionOptions;
  /** The user has confirmed the chosen mode. */
  readonly confirm: boolean;
  /** The agent's options, as far as they are known. */
  readonly info: SessionInfo;
  /** Why its agent couldn't be prepared. */
  readonly failure: ApiFailure | null;
  /** Works in its own worktree instead of the project's folder. */
  readonly place?: NewWorktree;
};

/** `turnId`: the turn of its first message. */
export type Begun = { readonly sessionId: string; readonly turnId?: string | undefined };

type Place = Pick<NewSession, 'projectId' | 'cliType'>;

export type NewSessions = Cell<ReadonlyMap<string, NewSession>> & {
  /** A new session in this place; reuses one that was closed with a draft. */
  readonly open: (place: Place) => string;
  /** Moves it to another agent or folder; its draft stays. */
  readonly move: (id: string, place: Place) => void;
  /** It has no draft, and nothing was sent from it. */
  readonly isUnused: (id: string) => boolean;
  /** Starts its agent while the user is still choosing and writing; called whenever they do. */
  readonly keepPrepared: (id: string) => void;
  /** Tries again to prepare an agent that couldn't start. */
  readonly retry: (id: string) => void;
  readonly choose: (id: string, options: SessionOptions, confirm?: boolean) => void;
  /** Where it will work; null for the project's folder. */
  readonly place: (id: string, worktree: NewWorktree | null) => void;
  /** Creates the session on the server with its first message, once however often it is called. */
  readonly begin: (id: string, message: FirstMessage) => Promise<ApiResult<Begun>>;
  /** The new session that a session was created from, until the page is reloaded. */
  readonly origin: (sessionId: string) => NewSession | undefined;
  /** Removes those that are closed and empty. */
  readonly tidy: () => void;
};

export type NewSessionsDeps = {
  readonly api: Pick<Api['session'], 'create' | 'prepare'>;
  readonly storage: Storage;
  readonly drafts: DraftStore;
  readonly newId: () => string;
  readonly now: () => number;
  readonly isOpen: (id: string) => boolean;
  /** It has messages that were sent but haven't arrived. */
  readonly hasMessages: (id: string) => boolean;
  /** The options of another session with the same agent. */
  readonly knownInfo: (cliType: string) => SessionInfo;
  readonly onBegun: (id: string, sessionId: string) => void;
};

const key = 'liminal.new-sessions';
const prefix = 'new-session:';
/** The server keeps a prepared agent for a minute after the last request. */
const askAgainMs = 30_000;
/** How long an empty one stays stored that another tab made: it may still be open there. */
const keptForOthersMs = 24 * 60 * 60_000;

/** Ids of sessions that exist only in this browser. */
export const isNewSession = (sessionId: string): boolean => sessionId.startsWith(prefix);

export function createNewSessions(deps: NewSessionsDeps): NewSessions {
  const { api, storage, drafts, now } = deps;
  const cell = createCell<ReadonlyMap<string, NewSession>>(readJson(storage, key, read) ?? new Map());
  const origins = new Map<string, NewSession>();
  const beginning = new Map<string, ReturnType<NewSessions['begin']>>();
  const offers = new Map<string, SessionInfo>();
  let asked = { wish: '', at: 0 };

  /** Those that this tab made or finished. */
  const own = new Set<string>();
  const kept = (): Kept[] => [...cell.get().values()].map(toKeep);
  const store = createSharedList(storage, key, {
    idOf: ({ id }) => id,
    known: kept(),
    mayRemove: ({ id, madeAt = 0 }) => own.has(id) || now() - madeAt > keptForOthersMs,
  });
  cell.subscribe(() => store(kept()));
  const isUnused = (id: string): boolean => drafts.isEmpty(id) && !beginning.has(id) && !deps.hasMessages(id);
  const change = (session: NewSession): void => cell.update((held) => new Map(held).set(session.id, session));
  const wishOf = ({ projectId, cliType }: Place, options: SessionOptions): string =>
    JSON.stringify([projectId, cliType, options]);
  const known = ({ cliType }: Place): SessionInfo => offered(offers.get(cliType) ?? deps.knownInfo(cliType));

  const ask = async (place: Place, options: SessionOptions): Promise<void> => {
    const wish = wishOf(place, options);
    asked = { wish, at: now() };
    const { projectId, cliType } = place;
    const hasOptions = Object.keys(options).length > 0;
    const reply = await api.prepare({ projectId, cliType, ...(hasOptions && { options }) });
    if (reply.ok && reply.value.info.modes !== undefined) offers.set(cliType, reply.value.info);
    const reported = reply.ok ? reply.value.info : {};
    // An unreachable server is reported elsewhere, and recovers by itself.
    const failure = reply.ok || reply.failure.code === 'UNREACHABLE' ? null : reply.failure;
    for (const session of cell.get().values())
      if (wishOf(session, toKeep(session).options) === wish)
        change({ ...session, failure, info: { ...known(place), ...reported, ...session.options } });
  };
  const askFor = (session: NewSession): void => void ask(session, toKeep(session).options);
  const wasAsked = (session: NewSession): boolean =>
    asked.wish === wishOf(session, toKeep(session).options) && now() - asked.at < askAgainMs;

  const fresh = (id: string, place: Place): NewSession => ({
    id,
    projectId: place.projectId,
    cliType: place.cliType,
    madeAt: now(),
    options: {},
    confirm: false,
    failure: null,
    info: known(place),
  });

  const create = async (session: NewSession, message: FirstMessage): ReturnType<NewSessions['begin']> => {
    const { id, projectId, cliType, options, confirm, place } = session;
    const reply = await api.create({
      projectId,
      cliType,
      ...(Object.keys(options).length > 0 && { options }),
      ...(confirm && { confirm }),
      ...(place && { place }),
      clientSessionId: id,
      message,
    });
    // It took the prepared agent: the next session needs another.
    asked = { wish: '', at: 0 };
    if (!reply.ok) {
      const next = place && placeAfterFailure(place, reply.failure);
      if (next) change({ ...session, place: next });
      return reply;
    }
    const { sessionId } = reply.value;
    origins.set(sessionId, session);
    own.add(id);
    drafts.rename(id, sessionId);
    deps.onBegun(id, sessionId);
    cell.update((held) => new Map([...held].filter(([other]) => other !== id)));
    return reply;
  };

  return {
    ...cell,
    open(place) {
      const left = [...cell.get().values()].find(
        ({ id, projectId }) => projectId === place.projectId && !deps.isOpen(id) && !deps.hasMessages(id),
      );
      if (left !== undefined && !isUnused(left.id)) return left.id;
      const id = left?.id ?? `${prefix}${deps.newId()}`;
      if (left === undefined) own.add(id);
      change(fresh(id, place));
      return id;
    },
    move(id, place) {
      const session = cell.get().get(id);
      if (session === undefined) return;
      const isSameAgent = session.cliType === place.cliType;
      // Another project has other branches.
      const isSameProject = session.projectId === place.projectId;
      const { place: worktree, ...rest } = session;
      const kept = isSameProject && worktree ? { place: worktree } : {};
      change({ ...(isSameAgent ? { ...rest, ...place, failure: null } : fresh(id, place)), ...kept });
    },
    isUnused,
    keepPrepared(id) {
      const session = cell.get().get(id);
      if (session !== undefined && session.failure === null && !wasAsked(session)) askFor(session);
    },
    retry(id) {
      const session = cell.get().get(id);
      if (session !== undefined) askFor(session);
    },
    choose(id, options, confirm = false) {
      const session = cell.get().get(id);
      if (session === undefined) return;
      const chosen = {
        ...session,
        options: { ...session.options, ...options },
        confirm: options.modeId === undefined ? session.confirm : confirm,
        info: { ...session.info, ...options },
      };
      change(chosen);
      if (!wasAsked(chosen)) askFor(chosen);
    },
    place(id, worktree) {
      const session = cell.get().get(id);
      if (session === undefined) return;
      const { place: _before, ...rest } = session;
      change(worktree === null ? rest : { ...rest, place: worktree });
    },
    begin(id, message) {
      const session = cell.get().get(id);
      if (session === undefined) return Promise.resolve(gone);
      const begun = beginning.get(id) ?? create(session, message).finally(() => beginning.delete(id));
      beginning.set(id, begun);
      return begun;
    },
    origin: (sessionId) => cell.get().get(sessionId) ?? origins.get(sessionId),
    tidy() {
      const left = [...cell.get()].filter(([id]) => deps.isOpen(id) || !isUnused(id));
      if (left.length < cell.get().size) cell.set(new Map(left));
    },
  };
}

/** A session that the server doesn't have yet, as the page shows it. */
export const emptyHistory = (sessionId: string, info: SessionInfo): SessionMessage => ({
  type: 'session:history',
  sessionId,
  epoch: 'new',
  seq: 0,
  entries: [],
  turns: [],
  hasMore: false,
  permissions: [],
  queue: [],
  status: { state: 'open', activity: 'idle', isAlive: false },
  info,
});

const gone: ApiResult<never> = {
  ok: false,
  failure: {
    code: 'SESSION_NOT_FOUND',
    message: 'This new session was closed. Remove the message and start again.',
  },
};

const offered = ({ models, modes, efforts, commands }: SessionInfo): SessionInfo => ({
  ...(models && { models }),
  ...(modes && { modes }),
  ...(efforts && { efforts }),
  ...(commands && { commands }),
});

type Kept = Pick<NewSession, 'id' | 'projectId' | 'cliType' | 'options' | 'place'> & { readonly madeAt?: number };

/** The stored and prepared form: without a mode that needs a confirmation, which doesn't last. */
function toKeep({ id, projectId, cliType, madeAt, options, confirm, place }: NewSession): Kept {
  const { modeId, ...rest } = options;
  const chosen = confirm || modeId === undefined ? rest : options;
  return { id, projectId, cliType, madeAt, options: chosen, ...keptPlace(place) };
}

function read(value: unknown): Map<string, NewSession> | null {
  if (!Array.isArray(value)) return null;
  const kept = (value as Kept[]).filter((session) =>
    [session?.id, session?.projectId, session?.cliType].every((part) => typeof part === 'string'),
  );
  return new Map(
    kept.map(({ id, projectId, cliType, madeAt = 0, options, place }) => {
      const chosen = typeof options === 'object' && options !== null ? options : {};
      const rest = { confirm: false, info: { ...chosen }, failure: null, ...keptPlace(place) };
      return [id, { id, projectId, cliType, madeAt, options: chosen, ...rest }];
    }),
  );
}

function keptPlace(value: unknown): Pick<NewSession, 'place'> {
  const place = placeToKeep(value);
  return place === undefined ? {} : { place };
}
