import type { Socket } from '@liminal/client/socket';
import type { Schedule } from '../base/emitter.ts';
import { emptyHistory, isNewSession, type NewSessions } from './new-sessions.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';

type OpenSessionsDeps = {
  readonly newSessions: () => Pick<NewSessions, 'get'>;
  readonly socket: () => Pick<Socket, 'subscribe' | 'unsubscribe'>;
  readonly schedule: Schedule;
  readonly now: () => number;
};

export type OpenSessions = {
  readonly get: (sessionId: string) => SessionStore | undefined;
  readonly all: () => readonly SessionStore[];
  /** Whether a session shows this turn, running, ended or queued. */
  readonly hasTurn: (sessionId: string, turnId: string) => boolean;
  /** Subscribes to these sessions and unsubscribes from all others, whose summaries stay known. */
  readonly follow: (wanted: ReadonlySet<string>) => void;
  /** Shows sessions that the server doesn't have yet as empty, with their agents' options. */
  readonly showNew: () => void;
};

/** The sessions that are visible on the page. */
export function createOpenSessions({ newSessions, socket, schedule, now }: OpenSessionsDeps): OpenSessions {
  const held = new Map<string, SessionStore>();
  const showNew = (): void => {
    for (const { id, info } of newSessions().get().values()) held.get(id)?.apply(emptyHistory(id, info));
  };
  return {
    get: (sessionId) => held.get(sessionId),
    all: () => [...held.values()],
    hasTurn(sessionId, turnId) {
      const timeline = held.get(sessionId)?.timeline;
      if (timeline === undefined) return false;
      return timeline.turns.has(turnId) || timeline.queue.some((queued) => queued.turnId === turnId);
    },
    showNew,
    follow(wanted) {
      for (const sessionId of wanted) {
        if (held.has(sessionId)) continue;
        held.set(sessionId, createSessionStore(sessionId, schedule, now));
        if (!isNewSession(sessionId)) socket().subscribe(sessionId);
      }
      for (const sessionId of held.keys()) {
        if (wanted.has(sessionId)) continue;
        held.delete(sessionId);
        if (!isNewSession(sessionId)) socket().unsubscribe(sessionId);
      }
      showNew();
    },
  };
}
