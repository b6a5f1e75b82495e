import type { ClientMessage, Cursor, TerminalClientMessage } from '@liminal/contracts';
import type { ReadMessage } from './read-message.ts';

/** The part of a WebSocket that this file uses. Tests provide their own. */
export type SocketLike = {
  readonly readyState: number;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(data: string): void;
  close(): void;
};

export type SocketState =
  | { readonly phase: 'connecting' | 'open' }
  | { readonly phase: 'lost'; readonly attempt: number; readonly retryAt: number };

export type SocketDeps = {
  readonly open: () => SocketLike;
  /** Parses a frame. `null` for anything unknown or malformed. */
  readonly read: (data: unknown) => ReadMessage | null;
  readonly now: () => number;
  readonly after: (milliseconds: number, task: () => void) => () => void;
  readonly delay: (attempt: number) => number;
  /** The reader's position in a session. None requests the whole history. */
  readonly cursorOf: (sessionId: string) => Cursor | undefined;
  readonly onMessage: (message: ReadMessage) => void;
  readonly onState: (state: SocketState) => void;
  /** Binary frames: the output of terminals. */
  readonly onBytes?: (bytes: Uint8Array) => void;
  /** Whether to follow the list of all sessions too, as a page does. */
  readonly withDirectory?: boolean;
};

export type Socket = {
  readonly start: () => void;
  readonly stop: () => void;
  readonly subscribe: (sessionId: string) => void;
  readonly unsubscribe: (sessionId: string) => void;
  readonly askForItem: (sessionId: string, itemId: string) => void;
  /** A view of the session's folder was opened or closed. Repeated after a lost connection. */
  readonly watchChanges: (sessionId: string, watching: boolean) => void;
  /** Follows worktrees and comparisons from now on, even after a lost connection. */
  readonly followWorktrees: () => void;
  /** Sends a message to a terminal. Lost without a connection. */
  readonly sayToTerminal: (message: TerminalClientMessage) => void;
  /** The network may be back or gone: tries at once, or checks the connection. */
  readonly nudge: () => void;
};

const OPEN = 1;
/** How long to wait before a ping, and then for the answer. */
const quietMs = 15_000;
const answerMs = 5_000;
const openMs = 10_000;

/** One socket for any number of sessions. It reconnects by itself and resumes each reader from its cursor. */
export function createSocket(deps: SocketDeps): Socket {
  const wanted = new Set<string>();
  const watched = new Map<string, number>();
  let socket: SocketLike | null = null;
  let withWorktrees = false;
  let attempt = 0;
  let stopped = true;
  let cancelTimer: () => void = () => {};

  const setTimer = (milliseconds: number, task: () => void): void => {
    cancelTimer();
    cancelTimer = deps.after(milliseconds, task);
  };

  const send = (message: ClientMessage): void => {
    if (socket?.readyState === OPEN) socket.send(JSON.stringify(message));
  };

  const sendSubscribe = (sessionId: string): void => {
    const cursor = deps.cursorOf(sessionId);
    send({ type: 'session:subscribe', sessionId, encoding: 'append', ...(cursor ? { cursor } : {}) });
  };

  /** A socket that died silently stays "open" for minutes. Only an answer proves that it is alive. */
  const watch = (): void => setTimer(quietMs, ask);
  const ask = (): void => {
    send({ type: 'ping' });
    setTimer(answerMs, lose);
  };

  const lose = (): void => {
    const dead = socket;
    socket = null;
    if (dead !== null) {
      dead.onopen = dead.onclose = dead.onmessage = null;
      dead.close();
    }
    if (stopped) return;
    attempt += 1;
    const wait = deps.delay(attempt);
    deps.onState({ phase: 'lost', attempt, retryAt: deps.now() + wait });
    setTimer(wait, connect);
  };

  const connect = (): void => {
    deps.onState({ phase: 'connecting' });
    const fresh = deps.open();
    socket = fresh;
    setTimer(openMs, lose);
    fresh.onopen = () => {
      attempt = 0;
      watch();
      if (deps.withDirectory !== false) send({ type: 'directory:subscribe' });
      for (const sessionId of wanted) sendSubscribe(sessionId);
      if (withWorktrees) send({ type: 'worktrees:subscribe' });
      for (const sessionId of watched.keys()) send({ type: 'session:watch', sessionId, watching: true });
      deps.onState({ phase: 'open' });
    };
    fresh.onclose = lose;
    fresh.onmessage = (event) => {
      watch();
      if (event.data instanceof ArrayBuffer) return deps.onBytes?.(new Uint8Array(event.data));
      const message = deps.read(event.data);
      if (message !== null && message.type !== 'pong') deps.onMessage(message);
    };
  };

  return {
    start() {
      stopped = false;
      connect();
    },
    stop() {
      stopped = true;
      lose();
      cancelTimer();
    },
    subscribe(sessionId) {
      wanted.add(sessionId);
      sendSubscribe(sessionId);
    },
    unsubscribe(sessionId) {
      if (wanted.delete(sessionId)) send({ type: 'session:unsubscribe', sessionId });
    },
    askForItem: (sessionId, itemId) => send({ type: 'session:item', sessionId, itemId }),
    watchChanges(sessionId, watching) {
      const before = watched.get(sessionId) ?? 0;
      const count = Math.max(0, before + (watching ? 1 : -1));
      if (count > 0) watched.set(sessionId, count);
      else watched.delete(sessionId);
      if (before > 0 !== count > 0) send({ type: 'session:watch', sessionId, watching });
    },
    followWorktrees() {
      if (!withWorktrees) send({ type: 'worktrees:subscribe' });
      withWorktrees = true;
    },
    sayToTerminal: send,
    nudge() {
      if (stopped) return;
      if (socket === null) connect();
      else if (socket.readyState === OPEN) ask();
    },
  };
}
