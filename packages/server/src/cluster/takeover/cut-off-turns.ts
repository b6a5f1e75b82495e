import type { SessionHistory, TurnRecord, TurnStarted, TurnTerminal, UpsertObject } from '@liminal/contracts';
import { personsItemId } from '@liminal/domain/items/item-id';
import type { StoreWrite } from '../../store/rows.ts';

export type CutOffTurns = {
  readonly sessionId: string;
  /** The newest turns, as the other machine published them. */
  readonly history: Pick<SessionHistory, 'turns' | 'entries'>;
  /** The position of the first of them in this machine's history. */
  readonly places: { readonly order: number; readonly position: number };
  /** The machine that is gone. */
  readonly machine: string;
  readonly at: string;
};

/**
 * Turns that were running when their machine died, as rows of this machine: failed, with the output that had arrived,
 * as after a crash on one machine. The agent's own record seldom has more than the user's message.
 */
export function cutOffTurns({ sessionId, history, places, machine, at }: CutOffTurns): StoreWrite[] {
  const error = {
    errorCode: 'PROCESS_CRASH',
    errorMessage: `${machine} stopped during this turn. The last part of the answer may be missing.`,
  };
  let { order, position } = places;
  return history.turns.flatMap((turn): StoreWrite[] => {
    const { turnId } = turn;
    const entries = history.entries.filter((entry) => entry.turnId === turnId);
    if (turn.state !== 'running' || !wasTakenUp(turn, entries)) return [];
    const started: TurnStarted = { type: 'turn_started', turnId, sessionId, modelId: 'unknown', providerId: 'unknown' };
    const ended: TurnTerminal = { type: 'turn_error', turnId, sessionId, ...error };
    const own = entries.find(({ itemId }) => itemId === personsItemId(turnId));
    const row = {
      sessionId,
      turnId,
      state: 'failed',
      position: position++,
      content: own?.type === 'message' ? own.content : '',
      images: [],
      createdAt: own?.sourceTimestamp ?? turn.startedAt ?? at,
      clientMessageId: null,
      started: turn.started ?? started,
      startedAt: turn.startedAt ?? at,
      ended,
      endedAt: at,
    } as const;
    const items = entries.map((entry): StoreWrite => {
      const hasEnded = entry.status === 'complete' || entry.status === 'error';
      const body = { ...entry, sessionId, order, ...(hasEnded ? {} : { status: 'error' as const, ...error }) };
      const { itemId } = entry;
      return {
        type: 'put-item',
        row: { sessionId, itemId, turnId, order: order++, sourceId: null, change: null, body },
      };
    });
    return [{ type: 'put-turn', row }, ...items];
  });
}

/** Excludes messages that the agent may never have received. */
const wasTakenUp = (turn: TurnRecord, entries: readonly UpsertObject[]): boolean =>
  turn.started !== undefined || entries.some(({ itemId }) => itemId !== personsItemId(turn.turnId));
