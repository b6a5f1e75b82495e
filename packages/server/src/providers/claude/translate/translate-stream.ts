import { asNumber, asOptionalRecord, asRecord, asText, type Loose, parseJsonObject } from '../../kit/read-json.ts';
import { type NativeStream, readUsage } from './native.ts';
import { type Block, type ModelMessage, type Translation, emit, messageOf, note } from './translation.ts';
import { bindMessages, endTurn, ensureTurn, reportTurnUsage } from './translate-turns.ts';
import { endBlock, finalArguments, openBlock } from './translate-blocks.ts';

/** The model's answer as it streams. A block ends at its stop only if its complete message was seen (decision 4). */
export function translateStream(t: Translation, native: NativeStream, at: number): void {
  const { event, parent } = native;
  const streamKey = parent ?? '';
  const type = asText(event['type']) ?? 'without a type';
  if (type === 'ping') return;
  const model = asText(asRecord(event['message'])['model']);
  bindMessages(t, native.uuids, model, at);

  if (type === 'error') {
    const error = asOptionalRecord(event['error']);
    note(
      t,
      `The model's stream reported an error: ${asText(error?.['message']) ?? asText(error?.['type']) ?? 'no reason given'}.`,
      at,
    );
    return;
  }
  if (type === 'message_start') return startMessage(t, event, model, parent, at);

  const message = t.streaming.get(streamKey);
  if (!message) {
    // Stops are harmless; content that belongs to no block means the stream can no longer be understood.
    if (type === 'content_block_delta' || type === 'content_block_start') breakProtocol(t, type, at);
    return;
  }
  message.turn.answered = false;
  switch (type) {
    case 'content_block_start':
      return startBlock(t, message, event, at);
    case 'content_block_delta':
      return appendDelta(t, message, event, at);
    case 'content_block_stop':
      return stopBlock(t, message, asNumber(event['index']) ?? 0, at);
    case 'message_delta':
      return closeMessage(t, message, event, at);
    case 'message_stop':
      return stopMessage(t, message, native.abandonedFrom, streamKey, at);
    default:
      countUnknown(t, `stream event ${type}`);
  }
}

function startMessage(
  t: Translation,
  event: Loose,
  model: string | undefined,
  parent: string | undefined,
  at: number,
): void {
  const turn = (parent !== undefined ? t.calls.get(parent)?.turn : undefined) ?? ensureTurn(t, model, at);
  if (model && parent === undefined) t.model = model;
  const fields = asRecord(event['message']);
  const message = messageOf(turn, asText(fields['id']) ?? `unnamed-${turn.nextOrdinal}`, parent);
  message.usage = readUsage(fields['usage']) ?? message.usage;
  t.streaming.set(parent ?? '', message);
  reportTurnUsage(t, turn);
}

function startBlock(t: Translation, message: ModelMessage, event: Loose, at: number): void {
  const fields = asRecord(event['content_block']);
  const block = openBlock(
    t,
    message,
    asNumber(event['index']) ?? message.blocks.size,
    asText(fields['type']) ?? '',
    fields,
    at,
  );
  const text =
    block.kind === 'text' ? asText(fields['text']) : block.kind === 'thinking' ? asText(fields['thinking']) : '';
  if (text) appendText(t, block, text, at);
}

function appendDelta(t: Translation, message: ModelMessage, event: Loose, at: number): void {
  const index = asNumber(event['index']) ?? 0;
  const delta = asRecord(event['delta']);
  const type = asText(delta['type']) ?? 'without a type';
  // If the start of a block was lost inside an open answer, its first text opens it.
  const implied = type === 'text_delta' ? 'text' : type === 'thinking_delta' ? 'thinking' : undefined;
  const block = message.blocks.get(index) ?? (implied && openBlock(t, message, index, implied, {}, at));
  if (!block || block.ended) return;
  switch (type) {
    case 'text_delta':
      return appendText(t, block, asText(delta['text']) ?? '', at);
    case 'thinking_delta':
      return appendText(t, block, asText(delta['thinking']) ?? '', at);
    case 'input_json_delta':
      block.json += asText(delta['partial_json']) ?? '';
      return;
    case 'signature_delta':
    case 'citations_delta':
      return;
    default:
      countUnknown(t, `delta ${type}`);
  }
}

function appendText(t: Translation, block: Block, text: string, at: number): void {
  if (text === '') return;
  block.hasText = true;
  emit(t, t.accumulator.appendText(block.itemId, text, at));
}

function stopBlock(t: Translation, message: ModelMessage, index: number, at: number): void {
  const block = message.blocks.get(index);
  if (!block || block.stopped) return;
  block.stopped = true;
  if (block.kind === 'call' || block.kind === 'plan') {
    if (!block.whole) finalArguments(t, message, block, parseJsonObject(block.json), at);
    return;
  }
  if (block.whole && !message.aborted) endBlock(t, block, at);
}

function closeMessage(t: Translation, message: ModelMessage, event: Loose, at: number): void {
  const stopReason = asRecord(event['delta'])['stop_reason'];
  message.stopReason = asText(stopReason) ?? null;
  // A final frame names only counts that grew; the others keep their value.
  const usage = asOptionalRecord(event['usage']);
  if (usage) {
    const reported = readUsage(usage) ?? message.usage;
    message.usage = {
      input: reported.input || message.usage.input,
      output: reported.output || message.usage.output,
      read: reported.read || message.usage.read,
      write: reported.write || message.usage.write,
    };
    reportTurnUsage(t, message.turn);
  }
  if (message.stopReason === null) {
    message.aborted = true;
    return;
  }
  if (message.stopReason === 'refusal') message.turn.refused = true;
  for (const block of message.blocks.values()) if (block.stopped) endBlock(t, block, at);
  if (message.stopReason === 'max_tokens') {
    note(t, 'The answer reached the output limit. Claude Code continues by itself.', at);
  }
}

function stopMessage(
  t: Translation,
  message: ModelMessage,
  abandonedFrom: number | undefined,
  key: string,
  at: number,
): void {
  t.streaming.delete(key);
  message.turn.answered = key === '' && message.stopReason === 'end_turn';
  message.turn.lastUsage = key === '' ? message.usage : message.turn.lastUsage;
  if (message.aborted || message.turn.interrupted) return;
  for (const [index, block] of message.blocks) {
    if (block.ended) continue;
    if (abandonedFrom !== undefined && index >= abandonedFrom) supersede(t, block, at);
    else if (block.stopped) endBlock(t, block, at);
  }
}

/** The connection was lost before the block was complete; the answer is sent again under a new id. */
function supersede(t: Translation, block: Block, at: number): void {
  block.ended = true;
  emit(
    t,
    t.accumulator.failItem(
      block.itemId,
      { code: 'SUPERSEDED', message: 'The connection was lost. The answer was requested again.' },
      at,
    ),
  );
}

function breakProtocol(t: Translation, type: string, at: number): void {
  if (t.draining || (!t.current && t.pending.length === 0)) return;
  const turn = ensureTurn(t, undefined, at);
  const errorMessage = `Claude Code sent a ${type} that belongs to no answer. The rest of the turn can't be shown. Send the message again.`;
  endTurn(t, turn, { status: 'failed', errorCode: 'PROTOCOL_ERROR', errorMessage }, at);
  t.draining = true;
}

export function countUnknown(t: Translation, name: string): void {
  const seen = t.unknownKinds.get(name) ?? 0;
  t.unknownKinds.set(name, seen + 1);
  if (seen === 0) t.signals.push({ kind: 'unknown-kind', name });
}
