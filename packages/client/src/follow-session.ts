import { backoff } from '@liminal/domain/connection/backoff';
import { fold } from '@liminal/domain/timeline/fold';
import { type Folded, mergeFolded, nothing } from '@liminal/domain/timeline/folded';
import { createTimeline, type Timeline } from '@liminal/domain/timeline/timeline';
import type { RouteCalls } from './call-routes.ts';
import type { ApiFailure } from './exchange.ts';
import { createSocket, type SocketDeps, type SocketLike, type SocketState } from './socket.ts';

export type FollowDeps = {
  readonly api: { readonly session: Pick<RouteCalls['session'], 'status'> };
  readonly openSocket: () => SocketLike;
  readonly read: SocketDeps['read'];
  /** How long to wait before the next attempt, in milliseconds. By default longer each time. */
  readonly delay?: (attempt: number) => number;
};

export type FollowOptions = {
  /** Stops following without an error. */
  readonly signal?: AbortSignal;
};

/** The current state of a session. */
export type FollowedSession = {
  /** The same object each time, always up to date. */
  readonly timeline: Readonly<Timeline>;
  /** What changed since the last iteration. */
  readonly changed: Folded;
  readonly connection: SocketState;
};

/** A session can't be followed, or no longer: it is gone, the token is wrong, or nobody answers. */
export class FollowError extends Error {
  readonly failure: ApiFailure;
  constructor(failure: ApiFailure) {
    super(failure.message);
    this.name = 'FollowError';
    this.failure = failure;
  }
}

/** Failures that retrying can't fix. */
const isFinal = ({ code }: ApiFailure): boolean =>
  ['UNAUTHORIZED', 'SESSION_NOT_FOUND', 'FORBIDDEN_HOST', 'FORBIDDEN_ORIGIN', 'REDIRECTED'].includes(code);

/** A server that answers requests this often, but never opens a socket, isn't only restarting. */
const mostAttempts = 5;
const noSocket: ApiFailure = {
  code: 'UNREACHABLE',
  message: "The server answers, but a WebSocket to it can't be opened. A proxy in between must pass WebSockets on.",
};

const after = (milliseconds: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Yields the state of a session now and after every change. Reconnects from the cursor after a lost connection. Changes
 * that arrive while the reader is busy are combined.
 */
export async function* followSession(
  deps: FollowDeps,
  sessionId: string,
  { signal }: FollowOptions = {},
): AsyncGenerator<FollowedSession, void, void> {
  const timeline = createTimeline();
  let connection: SocketState = { phase: 'connecting' };
  let changed: Folded = nothing;
  let hasNews = false;
  let wasOpen = false;
  let failure: ApiFailure | null = null;
  let wake: () => void = () => {};

  const note = (): void => {
    hasNews = true;
    wake();
  };
  const fail = (reason: ApiFailure): void => {
    failure ??= reason;
    wake();
  };
  /** A failed socket doesn't say why, but a request does. */
  const findReason = async (attempt: number): Promise<void> => {
    const reply = await deps.api.session.status(sessionId);
    if (!reply.ok && (isFinal(reply.failure) || !wasOpen)) fail(reply.failure);
    else if (reply.ok && !wasOpen && attempt >= mostAttempts) fail(noSocket);
  };

  const socket = createSocket({
    open: deps.openSocket,
    read: deps.read,
    now: Date.now,
    after,
    delay: deps.delay ?? ((attempt) => backoff(attempt - 1, Math.random())),
    withDirectory: false,
    cursorOf: () => timeline.cursor,
    onState(state) {
      connection = state;
      if (state.phase === 'open') wasOpen = true;
      if (state.phase === 'lost') void findReason(state.attempt);
      note();
    },
    onMessage(message) {
      if (message.type === 'error') {
        // After either, the server sends nothing more about this session.
        if (message.code === 'SESSION_NOT_FOUND' || message.code === 'INTERNAL_ERROR') fail(message);
        return;
      }
      if (!('epoch' in message)) return;
      const folded = fold(timeline, message);
      for (const itemId of folded.missing) socket.askForItem(sessionId, itemId);
      if (folded === nothing && message.type !== 'session:history') return;
      changed = mergeFolded(changed, folded);
      note();
    },
  });
  const onAbort = (): void => wake();

  signal?.addEventListener('abort', onAbort);
  socket.subscribe(sessionId);
  socket.start();
  try {
    while (!signal?.aborted) {
      if (failure !== null) throw new FollowError(failure);
      if (hasNews && timeline.cursor !== undefined) {
        const news = { timeline, changed, connection };
        [hasNews, changed] = [false, nothing];
        yield news;
      } else {
        hasNews = false;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    socket.stop();
  }
}
