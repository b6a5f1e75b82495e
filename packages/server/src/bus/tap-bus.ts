import type { ChangeBody } from '@liminal/domain/delivery/change';
import type { SessionBus } from './session-bus.ts';

/** Sees what one session publishes, after its readers. */
export type Tap = (bodies: readonly ChangeBody[]) => void;

/** The same bus with a tap on every session opened on it. Errors of a tap are reported and don't affect the session. */
export function tapBus(
  bus: SessionBus,
  tapOf: (sessionId: string) => Tap,
  onError: (error: unknown) => void,
): SessionBus {
  return {
    ...bus,
    open(sessionId, source) {
      const feed = bus.open(sessionId, source);
      const tap = tapOf(sessionId);
      return {
        ...feed,
        // A getter, because the epoch changes.
        get epoch() {
          return feed.epoch;
        },
        publish(bodies) {
          const published = feed.publish(bodies);
          try {
            tap(bodies);
          } catch (error) {
            onError(error);
          }
          return published;
        },
      };
    },
  };
}
