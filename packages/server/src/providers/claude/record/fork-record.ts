import { asNonEmptyString, asRecord, asText } from '../../kit/read-json.ts';
import { ProviderError } from '../../provider-error.ts';
import { forkRecordedSession } from '../process/claude-sdk.ts';
import { findRecord, readNewestRows } from './record-file.ts';
import { meaningOf, type RecordRow } from './record-rows.ts';

/** A copy, and the records before the copied one. */
export type ForkedRecord = { readonly agentId: string; readonly earlier: readonly string[] };

/**
 * Copies a session's record up to and including a turn. `/clear` starts new records, so a session may have several, and
 * the turn may be in any of them. The cut is the last row of the turn, whatever it is: a cancelled turn ends in a row
 * of role user, a failed one in a synthetic answer, and without it the model would get that turn again.
 */
export async function forkRecord(
  projects: string,
  agentIds: readonly string[],
  turnUuid: string | undefined,
): Promise<ForkedRecord> {
  const newest = agentIds.at(-1) ?? '';
  if (turnUuid === undefined) return { agentId: await forkRecordedSession(newest), earlier: agentIds.slice(0, -1) };
  for (const [place, agentId] of [...agentIds.entries()].toReversed()) {
    const path = await findRecord(projects, agentId);
    if (path === undefined) continue;
    const { rows } = await readNewestRows(path, Number.POSITIVE_INFINITY);
    const turn = rowsOfTurn(rows, turnUuid);
    if (turn === undefined) continue;
    const earlier = agentIds.slice(0, place);
    return { agentId: turn.isLast ? await forkRecordedSession(agentId) : await cut(agentId, turn.rows), earlier };
  }
  throw new ProviderError('TURN_NOT_FOUND', "Claude Code's record no longer has this turn.");
}

/** The suffix Claude Code adds to a copy's title. */
const copyMark = ' (fork)';

/**
 * A copy without new messages: its source has everything in it. A server killed during a fork or a rewind leaves one.
 */
export async function isUnusedCopy(projects: string, agentId: string, title: string): Promise<boolean> {
  if (!title.endsWith(copyMark)) return false;
  const path = await findRecord(projects, agentId);
  const { rows } = path === undefined ? { rows: [] } : await readNewestRows(path, 1);
  return asNonEmptyString(asRecord(rows.at(-1)?.['forkedFrom'])['sessionId']) !== undefined;
}

type TurnRows = { readonly rows: readonly RecordRow[]; readonly isLast: boolean };

function rowsOfTurn(rows: readonly RecordRow[], turnUuid: string): TurnRows | undefined {
  const isOf = (row: RecordRow): boolean =>
    row['uuid'] === turnUuid || asText(asRecord(row['forkedFrom'])['messageUuid']) === turnUuid;
  const first = rows.findIndex(isOf);
  if (first < 0) return undefined;
  const behind = rows.slice(first + 1).findIndex(beginsTurn);
  const end = behind < 0 ? rows.length : first + 1 + behind;
  return { rows: rows.slice(first, end), isLast: behind < 0 };
}

const beginsTurn = (row: RecordRow): boolean => {
  const { kind } = meaningOf(row);
  return kind === 'prompt' || kind === 'wake-up';
};

/** Claude Code rejects bookkeeping rows at the end of a turn as cut points; it accepts conversation rows. */
async function cut(agentId: string, rows: readonly RecordRow[]): Promise<string> {
  let reason: unknown;
  for (const row of rows.toReversed()) {
    const uuid = asNonEmptyString(row['uuid']);
    if (uuid === undefined) continue;
    try {
      return await forkRecordedSession(agentId, uuid);
    } catch (error) {
      if (!/not found in session/i.test(String(error))) throw error;
      reason = error;
    }
  }
  throw reason ?? new ProviderError('TURN_NOT_FOUND', "Claude Code's record no longer has this turn.");
}
