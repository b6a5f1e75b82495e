import { ClientMessage, type FailureCode, type ServerMessage } from '@liminal/contracts';
import { z } from 'zod';
import type { DirectoryChange, SessionDirectory } from '../bus/directory.ts';
import type { SessionBus } from '../bus/session-bus.ts';
import { createPump, type Wire } from './pump.ts';
import { createSubscription, type Subscription } from './subscription.ts';

export type SocketSessionDeps = {
  readonly wire: Wire;
  readonly bus: SessionBus;
  readonly directory: SessionDirectory;
  /** Brings a session into memory, so that it can be followed; false when there is none. */
  readonly open: (sessionId: string) => boolean;
  readonly maxOutboxBytes: number;
};

export type SocketSession = { receive(text: string): void; close(): void };

/** One connected browser: any number of sessions on one socket. A message that makes no sense is answered, not fatal. */
export function createSocketSession(deps: SocketSessionDeps): SocketSession {
  const { wire, bus, directory } = deps;
  const pump = createPump(wire);
  const subscriptions = new Map<string, Subscription>();
  let unfollowDirectory: (() => void) | null = null;

  const say = (message: ServerMessage) => wire.send(JSON.stringify(message), () => {});
  const refuse = (code: FailureCode, message: string, sessionId?: string) =>
    say({ type: 'error', code, message, ...(sessionId === undefined ? {} : { sessionId }) });

  const drop = (sessionId: string) => {
    const subscription = subscriptions.get(sessionId);
    if (!subscription) return;
    subscription.stop();
    pump.remove(subscription);
    subscriptions.delete(sessionId);
  };

  const subscribe = ({ sessionId, cursor, encoding = 'full' }: ClientMessage & { type: 'session:subscribe' }) => {
    drop(sessionId);
    const subscription = createSubscription({
      sessionId,
      encoding,
      bus,
      maxBytes: deps.maxOutboxBytes,
      wake: pump.wake,
    });
    if (!deps.open(sessionId) || !subscription.start(cursor)) {
      return refuse('SESSION_NOT_FOUND', 'There is no session with this id.', sessionId);
    }
    subscriptions.set(sessionId, subscription);
    pump.add(subscription);
    pump.wake();
  };

  const tellDirectory = ({ sessions, removed }: DirectoryChange) =>
    say({ type: 'directory:changed', sessions: [...sessions], ...(removed.length > 0 ? { removed: [...removed] } : {}) });

  const handle = (message: ClientMessage): void => {
    switch (message.type) {
      case 'session:subscribe':
        return subscribe(message);
      case 'session:unsubscribe':
        return drop(message.sessionId);
      case 'session:item':
        if (!deps.open(message.sessionId)) {
          return refuse('SESSION_NOT_FOUND', 'There is no session with this id.', message.sessionId);
        }
        if (!bus.repeat(message.sessionId, message.itemId)) {
          refuse('ITEM_NOT_FOUND', 'There is no such item.', message.sessionId);
        }
        return;
      case 'directory:subscribe':
        unfollowDirectory?.();
        tellDirectory({ sessions: directory.all(), removed: [] });
        unfollowDirectory = directory.follow(tellDirectory);
        return;
      case 'ping':
        return say({ type: 'pong' });
      case 'invoke':
        return say({ type: 'result', id: message.id, success: false, error: 'not supported' });
    }
  };

  return {
    receive(text) {
      const parsed = ClientMessage.safeParse(parseJson(text));
      if (parsed.success) handle(parsed.data);
      else refuse('INVALID_REQUEST', z.prettifyError(parsed.error));
    },
    close() {
      unfollowDirectory?.();
      pump.stop();
      subscriptions.clear();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
