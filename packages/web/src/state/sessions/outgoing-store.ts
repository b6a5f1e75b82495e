import type { FirstMessage, Image } from '@liminal/contracts';
import { backoff } from '@liminal/domain/connection/backoff';
import type { SocketDeps } from '@liminal/client/socket';
import type { Api } from '../../connection/api.ts';
import type { ApiFailure, ApiResult } from '@liminal/client/call-routes';
import { createCell, type Cell } from '../base/cell.ts';
import { createSharedList } from '../../browser/shared-list.ts';
import { readJson, type Storage } from '../../browser/storage.ts';
import type { Begun } from './new-sessions.ts';

/** A message on its way to the server; removed once the server's own state shows it. */
export type OutgoingMessage = {
  readonly clientMessageId: string;
  readonly sessionId: string;
  readonly content: string;
  /** `steer`: into the running turn, if the agent supports it. */
  readonly mode?: 'queue' | 'steer';
  readonly images?: readonly Image[];
  /** Files the message mentions, as the user chose them. */
  readonly mentions?: readonly string[];
  readonly state: 'sending' | 'offline' | 'refused' | 'accepted';
  readonly turnId?: string;
  readonly failure?: ApiFailure;
};

/** The attachments of a message. */
export type SendOptions = Pick<OutgoingMessage, 'mode' | 'images' | 'mentions'>;

export type OutgoingStore = Cell<readonly OutgoingMessage[]> & {
  readonly send: (sessionId: string, content: string, options?: SendOptions) => void;
  /** Retries pending messages: the connection is back, or the user asked. */
  readonly retry: () => void;
  /** Resends a rejected message, after the problem is solved. */
  readonly sendAgain: (clientMessageId: string) => void;
  /** The session got another id. */
  readonly rename: (from: string, to: string) => void;
  /** Removes a message that wasn't accepted, and returns it. */
  readonly takeBack: (clientMessageId: string) => OutgoingMessage | null;
  /** The server's state now shows these turns. */
  readonly arrived: (isKnown: (sessionId: string, turnId: string) => boolean) => void;
};

/** The connection that `retry` follows. */
export type OutgoingConnection = {
  readonly isOpen: () => boolean;
  readonly after: SocketDeps['after'];
};

const key = 'liminal.outgoing';

function check(value: unknown): OutgoingMessage[] | null {
  if (!Array.isArray(value)) return null;
  return (value as OutgoingMessage[])
    .filter((message) =>
      [message?.clientMessageId, message?.sessionId, message?.content].every((part) => typeof part === 'string'),
    )
    .map((message) => ({ ...message, state: message.state === 'refused' ? 'refused' : 'offline' }));
}

const bodyOf = ({ content, clientMessageId, images, mentions }: OutgoingMessage): FirstMessage => ({
  content,
  clientMessageId,
  ...(images && { images: [...images] }),
  ...(mentions && { mentions: [...mentions] }),
});

/** The result of the message that a session was created with; null if it still has to be sent. */
function replyWith(begun: ApiResult<Begun>): ApiResult<{ turnId: string }> | null {
  if (!begun.ok) return begun;
  const { turnId } = begun.value;
  return turnId === undefined ? null : { ok: true, value: { turnId } };
}

const imagesLost: ApiFailure = {
  code: 'IMAGES_LOST',
  message: 'Its images were lost in the reload. Remove the message and attach them again.',
};

/** The stored form: images are too large for it, and the message must not be sent silently without them. */
function toKeep(message: OutgoingMessage): OutgoingMessage {
  if (message.images === undefined) return message;
  const { images: _, ...rest } = message;
  return { ...rest, state: 'refused', failure: imagesLost };
}

/**
 * Sends each session's messages one after another. While the server is unreachable they wait, through a reload too, and
 * each is sent once: to the server, the same `clientMessageId` is the same message.
 */
export function createOutgoingStore(
  api: Pick<Api['session'], 'send'>,
  storage: Storage,
  newId: () => string,
  /** Creates a session that doesn't exist yet with its first message; `null` for all others. */
  begin: (sessionId: string, message: FirstMessage) => Promise<ApiResult<Begun>> | null = () => null,
  connection: OutgoingConnection = { isOpen: () => false, after: () => () => {} },
): OutgoingStore {
  const cell = createCell<readonly OutgoingMessage[]>(readJson(storage, key, check) ?? []);
  const busy = new Set<string>();
  let failures = 0;
  let stopWaiting: () => void = () => {};
  const idOf = (message: OutgoingMessage): string => message.clientMessageId;
  const store = createSharedList(storage, key, { idOf, known: cell.get().map(toKeep) });
  cell.subscribe(() =>
    store(
      cell
        .get()
        .filter((message) => message.state !== 'accepted')
        .map(toKeep),
    ),
  );

  const change = (clientMessageId: string, part: Partial<OutgoingMessage>): void =>
    cell.update((messages) =>
      messages.map((message) => (message.clientMessageId === clientMessageId ? { ...message, ...part } : message)),
    );

  const deliver = async (sessionId: string, message: OutgoingMessage): Promise<ApiResult<{ turnId: string }>> => {
    const { mode } = message;
    return api.send(sessionId, { ...bodyOf(message), ...(mode && { mode }) });
  };

  /** A request can fail after the socket has reconnected: then nothing else would send its message again. */
  const retryLater = (): void => {
    if (!connection.isOpen()) return;
    stopWaiting();
    stopWaiting = connection.after(backoff(failures, 0.5), () => connection.isOpen() && retry());
    failures += 1;
  };

  const pump = async (named: string): Promise<void> => {
    if (busy.has(named)) return;
    let sessionId = named;
    busy.add(sessionId);
    for (;;) {
      const next = cell.get().find((message) => message.sessionId === sessionId && message.state === 'sending');
      if (next === undefined) break;
      const { clientMessageId } = next;
      const beginning = begin(sessionId, bodyOf(next));
      const begun = beginning === null ? null : await beginning;
      if (begun?.ok) {
        busy.delete(sessionId);
        ({ sessionId } = begun.value);
        busy.add(sessionId);
      }
      const reply = (begun && replyWith(begun)) ?? (await deliver(sessionId, next));
      if (reply.ok || reply.failure.code !== 'UNREACHABLE') failures = 0;
      if (reply.ok) change(clientMessageId, { state: 'accepted', turnId: reply.value.turnId });
      else if (reply.failure.code !== 'UNREACHABLE')
        change(clientMessageId, { state: 'refused', failure: reply.failure });
      else {
        // Later ones wait behind it, which keeps their order.
        cell.update((messages) =>
          messages.map((message) =>
            message.sessionId === sessionId && message.state === 'sending' ? { ...message, state: 'offline' } : message,
          ),
        );
        retryLater();
      }
    }
    busy.delete(sessionId);
  };

  const retry = (): void => {
    stopWaiting();
    cell.update((messages) =>
      messages.some((message) => message.state === 'offline')
        ? messages.map((message) => (message.state === 'offline' ? { ...message, state: 'sending' } : message))
        : messages,
    );
    for (const sessionId of new Set(cell.get().map((message) => message.sessionId))) void pump(sessionId);
  };

  return {
    ...cell,
    send(sessionId, content, options = {}) {
      const blocked = cell.get().some((message) => message.sessionId === sessionId && message.state === 'offline');
      const state = blocked ? 'offline' : 'sending';
      cell.update((messages) => [...messages, { clientMessageId: newId(), sessionId, content, state, ...options }]);
      void pump(sessionId);
    },
    retry,
    sendAgain(clientMessageId) {
      const found = cell.get().find((message) => message.clientMessageId === clientMessageId);
      if (found?.state !== 'refused') return;
      const { failure: _, ...rest } = found;
      cell.update((messages) =>
        messages.map((message) => (message === found ? { ...rest, state: 'sending' } : message)),
      );
      void pump(found.sessionId);
    },
    rename: (from, to) =>
      cell.update((messages) =>
        messages.some(({ sessionId }) => sessionId === from)
          ? messages.map((message) => (message.sessionId === from ? { ...message, sessionId: to } : message))
          : messages,
      ),
    takeBack(clientMessageId) {
      const found = cell.get().find((message) => message.clientMessageId === clientMessageId);
      if (found === undefined || found.state === 'sending' || found.state === 'accepted') return null;
      cell.update((messages) => messages.filter((message) => message !== found));
      return found;
    },
    arrived(isKnown) {
      const left = cell
        .get()
        .filter((message) => message.turnId === undefined || !isKnown(message.sessionId, message.turnId));
      if (left.length !== cell.get().length) cell.set(left);
    },
  };
}
