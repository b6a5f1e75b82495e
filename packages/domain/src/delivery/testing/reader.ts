import { SessionMessage, type SessionHistory, type TurnRecord, type UpsertObject } from '@liminal/contracts';
import { fold } from '../../timeline/fold.ts';
import { createTimeline, itemsInOrder, type Timeline } from '../../timeline/timeline.ts';
import type { ChangeBody, OutboundMessage } from '../change.ts';

const sessionId = 'session-1';

/** The message as sent on the socket, checked against the schema. */
export function onTheWire(
  { type, seq, payload }: Pick<OutboundMessage, 'type' | 'seq' | 'payload'>,
  epoch: string,
): SessionMessage {
  return SessionMessage.parse(JSON.parse(JSON.stringify({ type, sessionId, epoch, seq, payload })));
}

/** A history with these newest states. */
export function historyOf(states: Iterable<ChangeBody>, epoch: string, seq: number): SessionMessage {
  const turns = new Map<string, TurnRecord>();
  const entries: UpsertObject[] = [];
  const history: SessionHistory = {
    entries,
    turns: [],
    hasMore: false,
    permissions: [],
    queue: [],
    status: { state: 'open', activity: 'idle', isAlive: false },
    info: {},
  };
  for (const body of states) {
    if (body.type === 'session:upsert') entries.push(body.payload);
    if (body.type === 'session:status') history.status = body.payload;
    if (body.type === 'session:queue') history.queue = body.payload.queue;
    if (body.type === 'session:info') history.info = body.payload;
    if (body.type === 'session:permission' && body.payload.state === 'open')
      history.permissions.push(body.payload.request);
    if (body.type !== 'session:turn') continue;
    const event = body.payload;
    const record: TurnRecord = turns.get(event.turnId) ?? { turnId: event.turnId, state: 'running' };
    if (event.type === 'turn_started') turns.set(event.turnId, { ...record, started: event });
    else
      turns.set(event.turnId, {
        ...record,
        state: event.type === 'turn_error' ? 'failed' : event.status,
        ended: event,
      });
  }
  entries.sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  return { type: 'session:history', sessionId, epoch, seq, ...history, turns: [...turns.values()] };
}

/** What a timeline shows, in a comparable form; appends don't carry emission times. */
export function shownBy(timeline: Timeline): unknown {
  const byId = <T>(list: readonly T[], idOf: (one: T) => string): T[] =>
    list.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return {
    items: [...itemsInOrder(timeline)].map((item) => ({ ...item, emittedAt: '', sourceTimestamp: '' })),
    turns: byId(
      [...timeline.turns.values()].flatMap((turn) => turn.record ?? []),
      (record) => record.turnId,
    ),
    permissions: byId(timeline.permissions, (request) => request.requestId),
    queue: timeline.queue,
    status: timeline.status,
    info: timeline.info,
    holes: [...timeline.holes.keys()],
  };
}

export function timelineOf(...messages: readonly SessionMessage[]): Timeline {
  const timeline = createTimeline();
  for (const message of messages) fold(timeline, message);
  return timeline;
}
