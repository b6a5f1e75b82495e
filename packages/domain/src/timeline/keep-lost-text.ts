import type { SessionHistory, TurnTerminal, UpsertObject } from '@liminal/contracts';
import { itemsOfTurn, type Timeline } from './timeline.ts';

type Crash = Extract<TurnTerminal, { type: 'turn_error' }>;

/**
 * The entries of a history, with the text of a turn that was cut off when the server stopped. Agent output is sent
 * before it is written, so a reader may have more of it than the disk. Text the user has read shouldn't vanish.
 */
export function keepLostText(timeline: Timeline, history: Pick<SessionHistory, 'entries' | 'turns'>): UpsertObject[] {
  const crashes = new Map<string, Crash>();
  for (const { turnId, ended } of history.turns) {
    const isCut = ended?.type === 'turn_error' && ended.errorCode === 'PROCESS_CRASH';
    if (isCut && timeline.turns.get(turnId)?.record?.state === 'running') crashes.set(turnId, ended);
  }
  if (crashes.size === 0) return history.entries;
  const entries = history.entries.map((entry) =>
    crashes.has(entry.turnId) ? longer(entry, timeline.items.get(entry.itemId)) : entry,
  );
  const written = new Set(entries.map(({ itemId }) => itemId));
  const unwritten = [...crashes].flatMap(([turnId, { errorCode, errorMessage }]) =>
    [...itemsOfTurn(timeline, turnId)]
      .filter((item) => !written.has(item.itemId))
      .map((item): UpsertObject => (hasEnded(item) ? item : { ...item, status: 'error', errorCode, errorMessage })),
  );
  return [...entries, ...unwritten];
}

const hasEnded = ({ status }: UpsertObject): boolean => status === 'complete' || status === 'error';

function longer(entry: UpsertObject, held: UpsertObject | undefined): UpsertObject {
  if (!held || !('content' in entry) || !('content' in held) || held.type !== entry.type) return entry;
  const isMore = held.content.length > entry.content.length && held.content.startsWith(entry.content);
  return isMore ? { ...entry, content: held.content } : entry;
}
