import { makeItemId } from '@liminal/domain/items/item-id';
import { asText, type Loose } from '../../kit/read-json.ts';
import { type Block, type ModelMessage, type Translation, emit, noteSource } from './translation.ts';
import { isPlanTool, planEntriesOf, shapeOf, toolKindOf } from './tool-shape.ts';

/** One content block of an answer, from either source: streamed or complete. */

const callTypes = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

export function openBlock(
  t: Translation,
  message: ModelMessage,
  index: number,
  type: string,
  fields: Loose,
  at: number,
): Block {
  const { turn, parent } = message;
  const itemId = makeItemId(turn.id, message.ordinal, index);
  const toolName = asText(fields['name']) || 'unknown';
  const kind = kindOf(type, toolName);
  const callId = kind === 'call' || kind === 'plan' ? asText(fields['id']) || itemId : undefined;
  const block: Block = {
    itemId,
    kind,
    callId,
    toolName,
    json: '',
    hasText: false,
    whole: false,
    wholeText: undefined,
    stopped: false,
    ended: false,
  };
  message.blocks.set(index, block);
  const place = {
    itemId,
    turnId: turn.id,
    ...(parent !== undefined && { parentCallId: parent }),
    ...(turn.over && { late: true }),
  };
  if (kind === 'text' || kind === 'thinking') {
    noteSource(t, turn, itemId, `${message.id}:${index}`);
    emit(t, t.accumulator.startText({ ...place, type: kind === 'text' ? 'message' : 'thinking' }, at));
  } else if (kind === 'call' && callId !== undefined) {
    t.calls.set(callId, { turn, toolName, input: {}, readyAt: at });
    emit(
      t,
      t.accumulator.startCall({ ...place, callId, toolName, toolArguments: {}, toolKind: toolKindOf(toolName) }, at),
    );
  } else if (kind === 'plan' && callId !== undefined) {
    noteSource(t, turn, itemId, callId);
    t.planCalls.add(callId);
  }
  return block;
}

function kindOf(type: string, toolName: string): Block['kind'] {
  if (type === 'text' || type === 'thinking') return type;
  if (callTypes.has(type)) return isPlanTool(toolName) ? 'plan' : 'call';
  return 'other';
}

/** The arguments of a call are complete, so its shape is known. */
export function finalArguments(t: Translation, message: ModelMessage, block: Block, input: Loose, at: number): void {
  if (block.callId === undefined) return;
  const entries = block.kind === 'plan' ? planEntriesOf(input) : undefined;
  if (entries) {
    const { turn } = message;
    turn.planItemId ??= block.itemId;
    emit(t, t.accumulator.putPlan({ itemId: turn.planItemId, turnId: turn.id, entries }, at));
    return;
  }
  if (block.kind !== 'call') return;
  const call = t.calls.get(block.callId);
  if (call) {
    call.readyAt = at;
    call.input = input;
  }
  emit(
    t,
    t.accumulator.updateCall(block.callId, { toolArguments: { ...input }, ...shapeOf(block.toolName, input) }, at),
  );
}

/** Ends a text or a thought; a call ends only with its result. */
export function endBlock(t: Translation, block: Block, at: number): void {
  if (block.ended || (block.kind !== 'text' && block.kind !== 'thinking')) return;
  block.ended = true;
  // Thinking that the account may not read arrives as a bare signature, with nothing to show.
  if (block.kind === 'thinking' && !block.hasText && !block.wholeText) emit(t, t.accumulator.dropItem(block.itemId));
  else emit(t, t.accumulator.finishText(block.itemId, at, block.wholeText));
}
