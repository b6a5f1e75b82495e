import type { Usage, Voice } from '../steps.ts';
import { jsonInput, uniqueId } from './wire-format.ts';
import type { ModelRequest, ReplyEncoder, StopReason, ToolCall, WholeReply } from './wire-format.ts';

/** Encodes a reply as the events of the Responses stream. */
export function responsesEncoder({ model }: ModelRequest): ReplyEncoder {
  const response = emptyResponse(model);
  const output: object[] = [];
  let sequence = 0;
  let open = { voice: 'text' as Voice, id: '', text: '' };
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;
  const added = (item: object): string => event('response.output_item.added', { output_index: output.length, item });
  const done = (item: object): string => {
    const frame = event('response.output_item.done', { output_index: output.length, item });
    output.push(item);
    return frame;
  };
  // The location of the open block: an answer has content parts, reasoning has summary parts.
  const part = (): object => ({
    item_id: open.id,
    output_index: output.length,
    ...(open.voice === 'text' ? { content_index: 0 } : { summary_index: 0 }),
  });
  const names = (): { part: string; text: string } =>
    open.voice === 'text'
      ? { part: 'response.content_part', text: 'response.output_text' }
      : { part: 'response.reasoning_summary_part', text: 'response.reasoning_summary_text' };
  return {
    open: () =>
      event('response.created', { response: { ...response, output } }) +
      event('response.in_progress', { response: { ...response, output } }),
    begin(voice) {
      open = { voice, id: uniqueId(voice === 'text' ? 'msg' : 'rs'), text: '' };
      const item = {
        ...blockItem(open),
        ...(voice === 'text' ? { status: 'in_progress', content: [] } : { summary: [] }),
      };
      return added(item) + event(`${names().part}.added`, { ...part(), part: textPart(open) });
    },
    delta(piece) {
      open.text += piece;
      return event(`${names().text}.delta`, { ...part(), delta: piece });
    },
    end: () =>
      event(`${names().text}.done`, { ...part(), text: open.text }) +
      event(`${names().part}.done`, { ...part(), part: textPart(open) }) +
      done(blockItem(open)),
    call(call, id) {
      const item = callItem(call, id);
      if (item.type === 'tool_search_call') return added(item) + done(item);
      const place = { item_id: item.id, output_index: output.length };
      const freeform = call.input.kind === 'freeform';
      const name = freeform ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
      const field = freeform ? 'input' : 'arguments';
      return (
        added({ ...item, status: 'in_progress', [field]: '' }) +
        event(`${name}.delta`, { ...place, delta: item[field] }) +
        event(`${name}.done`, { ...place, [field]: item[field] }) +
        done(item)
      );
    },
    fail: (code, message) =>
      event('response.failed', { response: { ...response, status: 'failed', error: { code, message }, output } }),
    close: (usage, stop) =>
      event(stop === 'max-tokens' ? 'response.incomplete' : 'response.completed', {
        response: { ...response, ...ending(stop), output, usage: usageOf(usage) },
      }),
  };
}

export function wholeResponse({ model }: ModelRequest, { blocks, usage, stop }: WholeReply): unknown {
  const output = blocks.map((block) =>
    'call' in block
      ? callItem(block.call, block.id)
      : blockItem({ voice: block.voice, text: block.text, id: uniqueId('item') }),
  );
  return { ...emptyResponse(model), ...ending(stop), output, usage: usageOf(usage) };
}

const emptyResponse = (model: string): object => ({
  id: uniqueId('resp'),
  object: 'response',
  created_at: Math.floor(Date.now() / 1000),
  model,
  status: 'in_progress',
});

const ending = (stop: StopReason): object =>
  stop === 'max-tokens'
    ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    : { status: 'completed' };

interface Block {
  readonly voice: Voice;
  readonly id: string;
  readonly text: string;
}

const textPart = ({ voice, text }: Block): object =>
  voice === 'text' ? { type: 'output_text', text, annotations: [] } : { type: 'summary_text', text };

const blockItem = (block: Block): object =>
  block.voice === 'text'
    ? { type: 'message', id: block.id, role: 'assistant', status: 'completed', content: [textPart(block)] }
    : { type: 'reasoning', id: block.id, summary: [textPart(block)], encrypted_content: 'c3RhbmQtaW4=' };

function callItem(call: ToolCall, id: string): { type: string; id: string; [field: string]: unknown } {
  const common = { id: uniqueId('call'), call_id: id, status: 'completed' };
  if (call.name === 'tool_search')
    return { type: 'tool_search_call', ...common, execution: 'client', arguments: jsonInput(call) };
  if (call.input.kind === 'freeform')
    return { type: 'custom_tool_call', ...common, name: call.name, input: call.input.text };
  const namespace = call.namespace ? { namespace: call.namespace } : {};
  return {
    type: 'function_call',
    ...common,
    name: call.name,
    ...namespace,
    arguments: JSON.stringify(call.input.value),
  };
}

const usageOf = ({ input, output, cacheRead }: Usage): object => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cacheRead },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});
