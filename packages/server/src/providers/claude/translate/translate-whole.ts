import { makeItemId } from '@liminal/domain/items/item-id';
import { asList, asNonEmptyString, asOptionalRecord, asRecord, asText, type Loose } from '../../kit/read-json.ts';
import type { NativeAssistant, NativeBlock, NativeUser } from './native.ts';
import { diffsOfResult } from './result-diffs.ts';
import { shownResult } from './result-output.ts';
import { questionsOf } from './tool-shape.ts';
import { endBlock, finalArguments, openBlock } from './translate-blocks.ts';
import { countUnknown } from './translate-stream.ts';
import { bindMessages, ensureTurn } from './translate-turns.ts';
import { type Block, type ModelMessage, type Translation, emit, messageOf, note } from './translation.ts';

/**
 * Complete messages. The complete message of a streamed block only confirms it; without a stream, it is all there is.
 * It has one block and no index: the index is the number of complete blocks of that answer seen before (decision 5).
 */
export function translateAssistant(t: Translation, native: NativeAssistant, at: number): void {
  const model = native.synthetic ? undefined : native.model || undefined;
  bindMessages(t, native.uuids, model, at);
  retract(t, native.supersedes, at);
  const turn = (native.parent !== undefined ? t.calls.get(native.parent)?.turn : undefined) ?? ensureTurn(t, model, at);
  if (native.synthetic) return translateSynthetic(t, native, at);
  const message = messageOf(turn, native.messageId, native.parent);
  if (native.aborted) message.aborted = true;
  for (const whole of native.blocks) {
    const index = message.wholeBlocks;
    message.wholeBlocks += 1;
    translateBlock(t, message, index, whole, native.uuid, at);
  }
}

function translateBlock(
  t: Translation,
  message: ModelMessage,
  index: number,
  whole: NativeBlock,
  uuid: string | undefined,
  at: number,
): void {
  const { type, fields } = whole;
  if (type.endsWith('_tool_result')) return finishCall(t, fields, undefined, at);
  const streamed = message.blocks.get(index);
  const block = streamed ?? openBlock(t, message, index, type, fields, at);
  block.whole = true;
  switch (block.kind) {
    case 'text':
    case 'thinking':
      block.wholeText = asText(fields[type === 'thinking' ? 'thinking' : 'text']) ?? '';
      // A streaming block ends at its own stop; one that came complete is over now.
      if (!streamed || block.stopped) {
        if (!message.aborted) endBlock(t, block, at);
        else keepText(t, block, at);
      }
      break;
    case 'call':
    case 'plan':
      finalArguments(t, message, block, asRecord(fields['input']), at);
      break;
    case 'other':
      if (type !== 'redacted_thinking') countUnknown(t, `content block ${type}`);
      break;
  }
  if (uuid !== undefined) message.turn.itemByUuid.set(uuid, block.itemId);
}

/** A cut answer that never streamed keeps its text without becoming complete. */
function keepText(t: Translation, block: Block, at: number): void {
  if (block.wholeText && !block.hasText) emit(t, t.accumulator.appendText(block.itemId, block.wholeText, at));
}

/** What Claude Code says instead of a model: the text of a failure waits for the result, the rest is a note. */
function translateSynthetic(t: Translation, native: NativeAssistant, at: number): void {
  const text = native.blocks.map((block) => asText(block.fields['text']) ?? '').join('\n');
  const turn = t.current;
  if (native.error !== undefined && turn) {
    turn.failureText = text;
    turn.failureStamp = native.error;
  } else if (text !== '' && text !== 'No response requested.') {
    note(t, text, at);
  }
}

/** Tool results. Everything else with role user comes from Claude Code and is never shown as the user's. */
export function translateUser(t: Translation, native: NativeUser, at: number): void {
  if (native.isReplay) {
    if (t.current && native.uuid !== undefined) bindMessages(t, [native.uuid], undefined, at);
    return;
  }
  for (const block of native.blocks) {
    if (block.type.endsWith('tool_result')) finishCall(t, block.fields, native, at);
  }
}

function finishCall(t: Translation, fields: Loose, native: NativeUser | undefined, at: number): void {
  const callId = asNonEmptyString(fields['tool_use_id']);
  if (callId === undefined || t.planCalls.has(callId)) return;
  const known = t.calls.get(callId);
  // Refused only because the turn was interrupted: the call is stopped, not done (decision 15).
  if (known?.turn.interrupted && native && wasNeverRun(native, callId)) return;
  const diffs = known && native ? diffsOfResult(known.toolName, native.toolUseResult) : undefined;
  const shown = shownResult(
    known?.toolName ?? '',
    fields['content'],
    native?.toolUseResult,
    questionsOf(known?.input ?? {}),
  );
  const result = {
    ...shown,
    isError: fields['is_error'] === true,
    ...(known && { durationMs: Math.max(0, at - known.readyAt) }),
    ...(diffs && { diffs: [...diffs] }),
  };
  // Only a question about a running call needs its arguments; keeping them would keep written files in memory.
  if (known) known.input = {};
  if (t.accumulator.knowsCall(callId)) return emit(t, t.accumulator.finishCall(callId, result, at));
  const parent = native?.parent;
  const turn = (parent !== undefined ? t.calls.get(parent)?.turn : undefined) ?? ensureTurn(t, undefined, at);
  const place = { itemId: makeItemId(turn.id, turn.nextOrdinal), turnId: turn.id, ...(turn.over && { late: true }) };
  turn.nextOrdinal += 1;
  t.calls.set(callId, { turn, toolName: 'unknown', input: {}, readyAt: at });
  emit(
    t,
    t.accumulator.finishCall(callId, result, at, { ...place, ...(parent !== undefined && { parentCallId: parent }) }),
  );
}

const wasNeverRun = (native: NativeUser, callId: string): boolean =>
  asList(native.resultMeta).some((entry) => {
    const meta = asOptionalRecord(entry);
    return meta?.['id'] === callId && meta['non_execution_kind'] === 'user-rejected';
  });

/** Messages of this turn that Claude Code retracts are shown as replaced by what follows. */
export function retract(t: Translation, uuids: readonly string[], at: number): void {
  for (const uuid of uuids) {
    const upsert = t.current?.emitted.get(t.current.itemByUuid.get(uuid) ?? '');
    if (!upsert) continue;
    const emittedAt = new Date(at).toISOString();
    const errorMessage = 'The model declined this answer. Another one follows.';
    t.out.push({
      kind: 'upsert',
      upsert: { ...upsert, status: 'error', errorCode: 'SUPERSEDED', errorMessage, emittedAt },
    });
  }
}
