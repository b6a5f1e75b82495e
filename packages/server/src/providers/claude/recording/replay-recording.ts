import type { TurnEvent, UpsertObject } from '@liminal/contracts';
import { asRecord, asText } from '../../kit/read-json.ts';
import { historyOfRows } from '../record/history.ts';
import { type ClaudeFact, createClaudeTranslator } from '../translate/translate.ts';
import type { SourcedEmission } from '../translate/translation.ts';

export type ReplayedLine = { readonly upsert: UpsertObject } | { readonly turn: TurnEvent };

/** The start time of every replay, fixed so results can be compared. */
const replayEpoch = Date.UTC(2026, 0, 1);

/**
 * The upserts and turn events of a recording. Turn ids are the uuids of the sent messages; times count from a fixed
 * start.
 */
export function replayRecording(text: string): readonly ReplayedLine[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => asRecord(JSON.parse(line)));
  // A page of the agent's own record has no `kind`: it is history, not a live stream.
  if (rows.length > 0 && rows.every((row) => row['kind'] === undefined)) return replayHistory(rows);

  const sessionId = rows.map((row) => asText(asRecord(row['message'])['session_id'])).find(Boolean);
  let agentTurns = 0;
  const translator = createClaudeTranslator({
    sessionId: sessionId ?? 'recorded-session',
    newTurnId: () => `agent-turn-${(agentTurns += 1)}`,
  });
  const opened: string[] = [];
  const result: ReplayedLine[] = [];
  for (const row of rows) {
    const at = replayEpoch + (typeof row['ms'] === 'number' ? row['ms'] : 0);
    const fact = factOf(row, opened);
    if (fact) result.push(...translator.translate(fact, at).emissions.map(lineOf));
  }
  return result;
}

/** The fact of one line of a recording for the translator; `opened` are the calls that wait for an answer. */
export function factOf(row: Readonly<Record<string, unknown>>, opened: string[]): ClaudeFact | undefined {
  switch (row['kind']) {
    case 'send': {
      const uuid = asText(row['uuid']) ?? '';
      return { kind: 'sent', uuid, turnId: uuid };
    }
    case 'message':
      return { kind: 'said', message: row['message'] };
    case 'interrupt':
      return { kind: 'interrupted' };
    case 'permission-request': {
      const callId = asText(asRecord(row['context'])['toolUseID']) ?? '';
      opened.push(callId);
      return { kind: 'permission-opened', callId };
    }
    case 'permission-answer':
      return { kind: 'permission-closed', callId: opened.shift() ?? '' };
    case 'permission-aborted': {
      const callId = asText(row['toolUseID']) ?? opened.shift() ?? '';
      return { kind: 'permission-closed', callId };
    }
    case 'stream-ended':
      return { kind: 'stream-ended' };
    case 'stream-threw':
      return { kind: 'stream-ended', reason: asText(row['text']) ?? 'unknown' };
    default:
      return undefined;
  }
}

const lineOf = (emission: SourcedEmission): ReplayedLine =>
  emission.kind === 'upsert' ? { upsert: emission.upsert } : { turn: emission.event };

function replayHistory(rows: readonly Readonly<Record<string, unknown>>[]): readonly ReplayedLine[] {
  const sessionId = asText(rows[0]?.['session_id']) ?? asText(rows[0]?.['sessionId']) ?? 'recorded-session';
  const history = historyOfRows(sessionId, rows);
  return history.turns.flatMap((turn): ReplayedLine[] => [
    ...(turn.started ? [{ turn: turn.started }] : []),
    ...history.entries.filter((entry) => entry.upsert.turnId === turn.turnId).map(({ upsert }) => ({ upsert })),
    ...(turn.ended ? [{ turn: turn.ended }] : []),
  ]);
}
