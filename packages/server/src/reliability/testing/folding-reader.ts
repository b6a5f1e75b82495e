import { once } from 'node:events';
import type { Encoding, ServerMessage, SessionMessage } from '@liminal/contracts';
import { fold } from '@liminal/domain/timeline/fold';
import { textOf } from '@liminal/domain/items/item-text';
import { createTimeline, type Timeline } from '@liminal/domain/timeline/timeline';
import { WebSocket } from 'ws';
import type { Address } from './api.ts';

export type FoldingReader = {
  /** Follows a session from this reader's position. */
  subscribe(sessionId: string, encoding: Encoding): void;
  follows(sessionId: string): boolean;
  timeline(sessionId: string): Timeline;
  /** Breaks the connection in the middle of whatever is in transit. */
  cut(): void;
  /** Reconnects and resumes every followed session from its cursor. */
  connect(): Promise<void>;
  /** Stops and continues reading from the network. */
  pause(): void;
  resume(): void;
  /** Resolves when the timeline matches, now or after a later message. Rejects with the first fault. */
  until(sessionId: string, fits: (timeline: Timeline) => boolean): Promise<void>;
  /** What must never arrive: a change number that isn't above the last, duplicate text, an answer out of order. */
  readonly faults: string[];
  readonly counts: { messages: number; resumedOk: number; resumedGap: number; histories: number; holes: number };
  close(): Promise<void>;
};

type Followed = {
  readonly timeline: Timeline;
  encoding: Encoding;
  epoch: string;
  highest: number;
  awaitsResumed: boolean;
};

/** A browser without a page: applies what it receives from any number of sessions, and checks every change number. */
export async function connectReader({ port, token }: Address): Promise<FoldingReader> {
  const followed = new Map<string, Followed>();
  const waiting = new Set<() => void>();
  const faults: string[] = [];
  const counts = { messages: 0, resumedOk: 0, resumedGap: 0, histories: 0, holes: 0 };
  let socket: WebSocket | null = null;

  const say = (message: object): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const ask = (sessionId: string, reader: Followed): void => {
    const { cursor } = reader.timeline;
    reader.awaitsResumed = cursor !== undefined;
    say({ type: 'session:subscribe', sessionId, encoding: reader.encoding, ...(cursor ? { cursor } : {}) });
  };

  const check = (message: SessionMessage, reader: Followed): void => {
    const { type, seq, epoch } = message;
    if (reader.awaitsResumed !== (type === 'session:resumed'))
      faults.push(`${type} where resumed=${reader.awaitsResumed}`);
    reader.awaitsResumed = false;
    if (type === 'session:resumed') {
      counts[message.verdict === 'ok' ? 'resumedOk' : 'resumedGap'] += 1;
      return;
    }
    if (type === 'session:history') {
      counts.histories += 1;
      if (epoch === reader.epoch && seq < reader.highest) faults.push(`a history of ${seq} after ${reader.highest}`);
    } else if (epoch !== reader.epoch || seq <= reader.highest) {
      faults.push(`${type} ${epoch}:${seq} after ${reader.epoch}:${reader.highest}`);
    }
    if (type === 'session:append' && reader.encoding !== 'append') faults.push('an append nobody asked for');
    if (type === 'session:append') checkAppend(message.payload.itemId, message.payload.offset, reader);
    Object.assign(reader, { epoch, highest: seq });
  };
  const checkAppend = (itemId: string, offset: number, { timeline }: Followed): void => {
    const item = timeline.items.get(itemId);
    if (item && offset < textOf(item).length) faults.push(`text of ${itemId} at ${offset} came twice`);
  };

  const hear = (message: ServerMessage): void => {
    counts.messages += 1;
    if (message.type === 'error') faults.push(`error ${message.code}: ${message.message}`);
    if (!('epoch' in message) || !('sessionId' in message)) return;
    const { sessionId } = message as SessionMessage;
    const reader = followed.get(sessionId);
    if (!reader) return;
    check(message as SessionMessage, reader);
    const { missing } = fold(reader.timeline, message as SessionMessage);
    for (const itemId of missing) {
      counts.holes += 1;
      say({ type: 'session:item', sessionId, itemId });
    }
    for (const look of waiting) look();
  };

  const connect = async (): Promise<void> => {
    const next = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer ${token}` } });
    socket = next;
    // Data in transit when the connection was cut is lost, as in a browser.
    next.on('message', (data: Buffer) =>
      next === socket ? hear(JSON.parse(data.toString()) as ServerMessage) : undefined,
    );
    next.on('error', () => {});
    await once(next, 'open');
    for (const [sessionId, reader] of followed) ask(sessionId, reader);
  };
  await connect();

  const timeline = (sessionId: string): Timeline => {
    const reader = followed.get(sessionId);
    if (!reader) throw new Error(`${sessionId} is not followed`);
    return reader.timeline;
  };
  return {
    faults,
    counts,
    follows: (sessionId) => followed.has(sessionId),
    timeline,
    connect,
    subscribe(sessionId, encoding) {
      const reader = followed.get(sessionId) ?? {
        timeline: createTimeline(),
        encoding,
        epoch: '',
        highest: -1,
        awaitsResumed: false,
      };
      reader.encoding = encoding;
      followed.set(sessionId, reader);
      ask(sessionId, reader);
    },
    cut() {
      const cut = socket;
      socket = null;
      cut?.terminate();
    },
    pause: () => socket?.pause(),
    resume: () => socket?.resume(),
    until: (sessionId, fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const isThere = fits(timeline(sessionId));
          if (!isThere && faults.length === 0) return;
          waiting.delete(look);
          if (isThere) resolve();
          else reject(new Error(faults.join('; ')));
        };
        waiting.add(look);
        look();
      }),
    async close() {
      const last = socket;
      socket = null;
      if (!last || last.readyState === WebSocket.CLOSED) return;
      last.terminate();
      await once(last, 'close');
    },
  };
}
