import type { PermissionRequest, TurnEvent, UpsertObject } from '@liminal/contracts';
import type { ReplayedHistory } from '../../provider.ts';
import type { ReplayedEvent } from './replay-recording.ts';

export type ReplayedLine =
  | { readonly upsert: UpsertObject }
  | { readonly turn: TurnEvent }
  | { readonly permission: PermissionRequest };

/** The upserts, turn events and permission requests in a recording, as `npm run replay` prints them. */
export function replayedLines(events: readonly ReplayedEvent[]): readonly ReplayedLine[] {
  return events.flatMap((event): readonly ReplayedLine[] => {
    switch (event.kind) {
      case 'upsert':
        return [{ upsert: event.upsert }];
      case 'turn':
        return [{ turn: event.event }];
      case 'history':
        return historyLines(event.history);
      case 'permission':
        return [{ permission: event.request }];
      case 'unknown':
        return [];
    }
  });
}

/** History is ordered by turn; entries outside turns come last. */
function historyLines({ turns, entries }: ReplayedHistory): readonly ReplayedLine[] {
  const byTurn = Map.groupBy(entries, ({ upsert }) => upsert.turnId);
  const lines = turns.flatMap(({ turnId, started, ended }): readonly ReplayedLine[] => [
    ...(started ? [{ turn: started }] : []),
    ...(byTurn.get(turnId) ?? []).map(({ upsert }) => ({ upsert })),
    ...(ended ? [{ turn: ended }] : []),
  ]);
  const known = new Set(turns.map(({ turnId }) => turnId));
  return [...lines, ...entries.filter(({ upsert }) => !known.has(upsert.turnId)).map(({ upsert }) => ({ upsert }))];
}
