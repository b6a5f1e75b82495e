import type { ChangeBody } from '@liminal/domain/delivery/change';
import type { SessionBus } from '../bus/session-bus.ts';

/** A tool printed something or ended, or the turn did. */
const isToolNews = (body: ChangeBody): boolean =>
  body.type === 'session:upsert'
    ? body.payload.type === 'tool_call'
    : body.type === 'session:turn' && body.payload.type !== 'turn_started';

/** The same bus; says of each session when one of its tools printed something. */
export function noticeToolOutput(bus: SessionBus, printed: (sessionId: string) => void): SessionBus {
  return {
    ...bus,
    open(sessionId, source) {
      const feed = bus.open(sessionId, source);
      return {
        ...feed,
        // Not copied: it changes.
        get epoch() {
          return feed.epoch;
        },
        publish(bodies) {
          if (bodies.some(isToolNews)) printed(sessionId);
          return feed.publish(bodies);
        },
      };
    },
  };
}
