import type { ChangeBody } from '@liminal/domain/delivery/change';
import type { SessionBus } from '../bus/session-bus.ts';
import { tapBus } from '../bus/tap-bus.ts';

const isToolNews = (body: ChangeBody): boolean =>
  body.type === 'session:upsert'
    ? body.payload.type === 'tool_call'
    : body.type === 'session:turn' && body.payload.type !== 'turn_started';

/** Wraps the bus and reports when a session's tool printed something. */
export const noticeToolOutput = (
  bus: SessionBus,
  printed: (sessionId: string) => void,
  onError: (error: unknown) => void,
): SessionBus => tapBus(bus, (sessionId) => (bodies) => bodies.some(isToolNews) && printed(sessionId), onError);
