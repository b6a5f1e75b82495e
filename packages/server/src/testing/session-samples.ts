import type { SessionHistory, UpsertObject } from '@liminal/contracts';
import type { Change, ChangeBody } from '@liminal/domain/delivery/change';
import type { CatchUp, Follower } from '../bus/session-bus.ts';

const at = '2026-01-01T00:00:00.000Z';

/** A session without messages. */
export const emptyHistory: SessionHistory = {
  entries: [],
  turns: [],
  hasMore: false,
  permissions: [],
  queue: [],
  status: { state: 'open', activity: 'idle', isAlive: true },
  info: {},
};

/** Agent text as an item. */
export const agentMessage = (
  itemId: string,
  content: string,
  status: UpsertObject['status'] = 'update',
): UpsertObject => ({
  type: 'message',
  turnId: 't',
  sessionId: 's',
  itemId,
  sourceTimestamp: at,
  emittedAt: at,
  status,
  content,
  origin: 'agent',
});

/** The same as a published change. */
export const textChange = (...words: Parameters<typeof agentMessage>): ChangeBody => ({
  type: 'session:upsert',
  payload: agentMessage(...words),
});

/** A reader of a bus that keeps what it receives. */
export function keepingReader() {
  const changes: Change[] = [];
  const starts: CatchUp[] = [];
  let renewals = 0;
  const follower: Follower = {
    caughtUp: (start) => starts.push(start),
    changed: (more) => changes.push(...more),
    renewed: () => (renewals += 1),
  };
  return { follower, changes, starts, renewals: () => renewals };
}
