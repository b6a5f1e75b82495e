import { personsItemId } from '@liminal/domain/items/item-id';
import type { TurnRecord, Usage } from '@liminal/contracts';
import type { TurnOutcome } from '@liminal/domain/accumulate/turns';
import { isoTime } from '@liminal/domain/time/iso-time';
import type { ReplayedHistory } from '../../provider.ts';
import { failureOfResult } from '../translate/claude-failure.ts';
import { asNonEmptyString, asOptionalRecord, asRecord, asText } from '../../kit/read-json.ts';
import { type NativeUsage, readNative, readUsage } from '../translate/native.ts';
import { clearedNote, compactNote } from '../translate/notes.ts';
import { type RecordRow, type RowMeaning, meaningOf } from './record-rows.ts';
import { translateAssistant, translateUser } from '../translate/translate-whole.ts';
import { endTurn, startTurn } from '../translate/translate-turns.ts';
import {
  type Translation,
  type Turn,
  createTranslation,
  createTurn,
  emit,
  note,
  noteSource,
} from '../translate/translation.ts';
import { addUsage, noUsage, toUsage } from '../translate/usage.ts';

/** The rows of one turn, with the meaning of each. */
type RecordedTurn = { readonly rows: { readonly row: RecordRow; readonly meaning: RowMeaning }[] };

/**
 * A session from its record, through the same translator as live events. A turn has the uuid of the row that started
 * it, so every load gives the same ids, and a turn of ours has the id it had.
 */
export function historyOfRows(sessionId: string, rows: readonly RecordRow[]): ReplayedHistory {
  const t = createTranslation({ sessionId, newTurnId: () => 'session' });
  const entries = new Map<string, ReplayedHistory['entries'][number]>();
  const turns: TurnRecord[] = [];
  let lastAt = 0;
  for (const recorded of turnsOf(rows)) {
    const times = recorded.rows.map(({ row }) => (lastAt = timeOf(row) ?? lastAt));
    replayTurn(t, recorded, times);
    turns.push(recordOf(t, times));
    for (const emission of t.out) {
      if (emission.kind !== 'upsert') continue;
      const { upsert, sourceId } = emission;
      entries.set(upsert.itemId, sourceId === undefined ? { upsert } : { upsert, sourceId });
    }
    t.out = [];
  }
  return { turns, entries: [...entries.values()] };
}

function turnsOf(rows: readonly RecordRow[]): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  for (const row of rows) {
    const meaning = meaningOf(row);
    if (meaning.kind === 'nothing') continue;
    const begins = meaning.kind === 'prompt' || meaning.kind === 'wake-up';
    const running = begins ? undefined : turns.at(-1);
    if (running) running.rows.push({ row, meaning });
    else turns.push({ rows: [{ row, meaning }] });
  }
  return turns;
}

function replayTurn(t: Translation, { rows }: RecordedTurn, times: readonly number[]): void {
  const first = rows[0];
  if (!first) return;
  const startedAt = times[0] ?? 0;
  const id = asNonEmptyString(first.row['uuid']) ?? `record-${startedAt}`;
  const turn = createTurn(id, first.meaning.kind === 'prompt' ? 'user' : 'agent');
  startTurn(t, turn, modelOf(rows.map(({ row }) => row)), startedAt);
  let persons = 0;
  rows.forEach(({ row, meaning }, index) => {
    const at = times[index] ?? startedAt;
    if (meaning.kind === 'prompt' || meaning.kind === 'steered')
      emitPersonMessage(t, turn, row, meaning, persons++, at);
    else replayRow(t, turn, row, meaning, at);
  });
  const endedAt = times.at(-1) ?? startedAt;
  endTurn(
    t,
    turn,
    outcomeOf(
      turn,
      rows.map(({ row }) => row),
      endedAt - startedAt,
    ),
    endedAt,
  );
}

function emitPersonMessage(
  t: Translation,
  turn: Turn,
  row: RecordRow,
  meaning: Extract<RowMeaning, { kind: 'prompt' | 'steered' }>,
  position: number,
  at: number,
): void {
  const itemId = personsItemId(turn.id, position);
  const sourceId = asNonEmptyString(asRecord(row['attachment'])['source_uuid']) ?? asNonEmptyString(row['uuid']);
  if (sourceId) noteSource(t, turn, itemId, sourceId);
  const attachments = meaning.kind === 'prompt' && meaning.attachments.length > 0 ? meaning.attachments : undefined;
  const message = {
    itemId,
    turnId: turn.id,
    content: meaning.text,
    origin: 'user' as const,
    ...(attachments && { attachments }),
  };
  emit(t, t.accumulator.putMessage(message, at));
}

function replayRow(t: Translation, turn: Turn, row: RecordRow, meaning: RowMeaning, at: number): void {
  switch (meaning.kind) {
    case 'interrupted':
      turn.interrupted = true;
      return;
    case 'note':
      return note(t, meaning.text, at);
    case 'cleared':
      return note(t, clearedNote, at);
    case 'compacted':
      return note(t, compactNote(row), at);
    case 'conversation': {
      const native = readNative(row['isAbortedMidStream'] === true ? { ...row, aborted: true } : row);
      if (native.kind === 'assistant') {
        // A later answer means that Claude Code recovered from the failure.
        if (!native.synthetic) turn.failureText = undefined;
        return translateAssistant(t, native, at);
      }
      if (native.kind === 'user') return translateUser(t, native, at);
      return;
    }
    case 'prompt':
    case 'steered':
    case 'wake-up':
    case 'nothing':
      return;
  }
}

function outcomeOf(turn: Turn, rows: readonly RecordRow[], durationMs: number): TurnOutcome {
  const usage = usageOf(rows);
  const totals = { ...(usage && { usage }), durationMs: Math.max(0, durationMs) };
  if (turn.interrupted) return { status: 'cancelled', ...totals };
  if (turn.failureText === undefined) return { status: 'completed', ...totals };
  const result = readNative({ type: 'result', is_error: true, result: turn.failureText });
  const failure =
    result.kind === 'result'
      ? failureOfResult(result, turn.failureStamp)
      : ({ code: 'MODEL_ERROR', message: '' } as const);
  return { status: 'failed', errorCode: failure.code, errorMessage: failure.message, ...totals };
}

/** Every row of an answer repeats its usage, so it is counted once. */
function usageOf(rows: readonly RecordRow[]): Usage | undefined {
  const byMessage = new Map<string, NativeUsage>();
  for (const row of rows) {
    const message = row['type'] === 'assistant' ? asOptionalRecord(row['message']) : undefined;
    const usage = readUsage(message?.['usage']);
    if (message && usage) byMessage.set(asText(message['id']) ?? '', usage);
  }
  return byMessage.size === 0 ? undefined : toUsage([...byMessage.values()].reduce(addUsage, noUsage));
}

const modelOf = (rows: readonly RecordRow[]): string | undefined =>
  rows
    .map((row) => (row['type'] === 'assistant' ? asText(asRecord(row['message'])['model']) : undefined))
    .find((model) => model !== undefined && model !== '<synthetic>');

/** Our timestamps don't support years of more than four digits. */
const endOfTime = Date.UTC(10_000, 0);

function timeOf(row: RecordRow): number | undefined {
  const at = Date.parse(asText(row['timestamp']) ?? '');
  return at >= 0 && at < endOfTime ? at : undefined;
}

function recordOf(t: Translation, times: readonly number[]): TurnRecord {
  const events = t.out.flatMap((emission) => (emission.kind === 'turn' ? [emission.event] : []));
  const started = events.find((event) => event.type === 'turn_started');
  const ended = events.find((event) => event.type === 'turn_complete' || event.type === 'turn_error');
  const state = ended?.type === 'turn_complete' ? ended.status : 'failed';
  return {
    turnId: t.latest?.id ?? 'session',
    state,
    ...(started?.type === 'turn_started' && { started }),
    ...(ended && { ended }),
    startedAt: isoTime(times[0] ?? 0),
    endedAt: isoTime(times.at(-1) ?? 0),
  };
}
