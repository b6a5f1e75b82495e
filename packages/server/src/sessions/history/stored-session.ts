import { newSession, type Message, type Session } from '@liminal/domain/session/session';
import type { SessionRow, TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { TurnBook } from '../writing/record-facts.ts';

/** A session as stored: after a restart its queue is held until the user opens or sends to it. */
export function storedSession(store: Store, row: SessionRow): { session: Session; book: TurnBook } {
  const open = store.openTurns(row.sessionId).filter((turn) => turn.state === 'queued' || turn.state === 'unknown');
  return {
    session: {
      ...newSession(row.sessionId),
      life: row.life,
      queue: open.map(messageOf),
      lastError: row.lastError,
    },
    book: {
      open: new Map(open.map((turn) => [turn.turnId, turn])),
      nextPosition: store.nextPlaces(row.sessionId).position,
    },
  };
}

function messageOf({ turnId, content, images, createdAt, state }: TurnRow): Message {
  return { turnId, content, images, createdAt, state: state === 'unknown' ? 'unknown' : 'held' };
}
