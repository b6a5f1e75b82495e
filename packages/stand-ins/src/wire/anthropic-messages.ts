import type { ConversationEvent } from '../conversation.ts';
import type { Usage, Voice } from '../steps.ts';
import { asArray, asRecord, asText, textOf } from './read-body.ts';
import { jsonInput, uniqueId } from './wire-format.ts';
import type { ModelRequest, ReplyEncoder, StopReason, WireFormat } from './wire-format.ts';

/** Anthropic Messages: what Claude Code speaks. */
export const anthropicMessages: WireFormat = {
  accepts: (path) => path.endsWith('/messages'),
  read,
  encode,
  whole: ({ model }, { blocks, usage, stop }) => ({
    ...emptyMessage(model),
    content: blocks.map((block) => {
      if ('call' in block)
        return { type: 'tool_use', id: block.id, name: block.call.name, input: jsonInput(block.call) };
      return block.voice === 'text'
        ? { type: 'text', text: block.text }
        : { type: 'thinking', thinking: block.text, signature };
    }),
    stop_reason: stopReasons[stop],
    usage: usageOf(usage),
  }),
  error: (status, message) => ({ type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } }),
};

function read(body: unknown): ModelRequest {
  const fields = asRecord(body);
  const format = asRecord(asRecord(fields['output_config'])['format'] ?? fields['output_format']);
  return {
    model: asText(fields['model']) || 'stand-in',
    stream: fields['stream'] === true,
    events: asArray(fields['messages']).flatMap(eventsOf),
    tools: asArray(fields['tools']).map((tool) => {
      const { name, input_schema: schema } = asRecord(tool);
      return { name: asText(name), schema };
    }),
    conversation: asText(asRecord(fields['metadata'])['user_id']),
    ...planFileOf(fields['messages']),
    ...(format['schema'] === undefined ? {} : { schema: format['schema'] }),
  };
}

// Each text block counts by itself: Claude Code joins waiting messages into one, and the newest block is the scene.
function eventsOf(message: unknown): ConversationEvent[] {
  const { role, content } = asRecord(message);
  if (role === 'assistant') return [{ kind: 'said' }];
  if (role === 'system') return steered(textOf(content));
  if (role !== 'user') return [];
  if (typeof content === 'string') return [{ kind: 'heard', text: content }];
  return asArray(content).flatMap((block): ConversationEvent[] => {
    const fields = asRecord(block);
    if (fields['type'] === 'tool_result')
      return [{ kind: 'result', callId: asText(fields['tool_use_id']), output: textOf(fields['content']) }];
    return fields['type'] === 'text' ? [{ kind: 'heard', text: asText(fields['text']) }] : [];
  });
}

// Claude Code sends a mid-turn message to the model in the system role, wrapped in its own text.
function steered(text: string): ConversationEvent[] {
  const message =
    /The user sent a new message while you were working:\n([\s\S]*?)(?:\n\nThis is how Claude Code|$)/.exec(text);
  return message?.[1] ? [{ kind: 'heard', text: message[1] }] : [];
}

function planFileOf(messages: unknown): { planFile?: string } {
  const last = asArray(messages)
    .map((message) => textOf(asRecord(message)['content']))
    .findLast((text) => planFile.test(text));
  const path = last && planFile.exec(last)?.[1];
  return path ? { planFile: path } : {};
}

const planFile = /## Plan File Info:\n[^\n]*?(\/[^\n]*?\.md)\b/;

function encode({ model }: ModelRequest): ReplyEncoder {
  let index = -1;
  let voice: Voice = 'text';
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const start = (block: object): string => event('content_block_start', { index: (index += 1), content_block: block });
  const delta = (fields: object): string => event('content_block_delta', { index, delta: fields });
  const stop = (): string => event('content_block_stop', { index });
  return {
    open: () => event('message_start', { message: emptyMessage(model) }),
    begin(next) {
      voice = next;
      return start(voice === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' });
    },
    delta: (piece) =>
      delta(voice === 'text' ? { type: 'text_delta', text: piece } : { type: 'thinking_delta', thinking: piece }),
    end: () => (voice === 'thinking' ? delta({ type: 'signature_delta', signature }) : '') + stop(),
    call: (call, id) =>
      start({ type: 'tool_use', id, name: call.name, input: {} }) +
      halves(JSON.stringify(jsonInput(call)))
        .map((partial_json) => delta({ type: 'input_json_delta', partial_json }))
        .join('') +
      stop(),
    fail: (code, message) => event('error', { error: { type: code, message } }),
    close: (usage, reason) =>
      event('message_delta', {
        delta: { stop_reason: stopReasons[reason], stop_sequence: null },
        usage: usageOf(usage),
      }) + event('message_stop', {}),
  };
}

// Two pieces, as a model would send, to expose a reader that takes one delta for the whole input.
const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)];

const signature = 'c3RhbmQtaW4=';

const stopReasons: Record<StopReason, string> = { end: 'end_turn', tool: 'tool_use', 'max-tokens': 'max_tokens' };

const emptyMessage = (model: string): object => ({
  id: uniqueId('msg'),
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...usageOf({ input: 100, output: 1, cacheRead: 0, cacheWrite: 0 }) },
});

const usageOf = ({ input, output, cacheRead, cacheWrite }: Usage): object => ({
  input_tokens: input,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cacheRead,
  output_tokens: output,
});

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
