import type { ConversationEvent } from '../conversation.ts';
import type { Usage, Voice } from '../steps.ts';
import { asArray, asRecord, asText, textOf } from './read-body.ts';
import { jsonInput, uniqueId } from './wire-format.ts';
import type { ModelRequest, ReplyEncoder, StopReason, ToolCall, WireFormat } from './wire-format.ts';

/** OpenAI Chat Completions: what opencode, qwen-code and most others can speak. */
export const openaiChat: WireFormat = {
  accepts: (path) => path.endsWith('/chat/completions'),
  read,
  encode,
  whole: ({ model }, { blocks, usage, stop }) => {
    const spoken = (voice: Voice): string =>
      blocks.map((block) => ('voice' in block && block.voice === voice ? block.text : '')).join('');
    const calls = blocks.flatMap((block) => ('call' in block ? [functionCall(block.call, block.id)] : []));
    const message = { role: 'assistant', content: spoken('text'), ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    return {
      ...completion('chat.completion', model),
      choices: [{ index: 0, message, finish_reason: finishReasons[stop] }],
      usage: usageOf(usage),
    };
  },
  error: (status, message) => ({ error: { type: `http_${status}`, code: `http_${status}`, message } }),
};

function read(body: unknown): ModelRequest {
  const fields = asRecord(body);
  const { schema } = asRecord(asRecord(fields['response_format'])['json_schema']);
  return {
    model: asText(fields['model']) || 'stand-in',
    stream: fields['stream'] === true,
    events: asArray(fields['messages']).flatMap(eventsOf),
    tools: asArray(fields['tools']).map((tool) => {
      const { name, parameters } = asRecord(asRecord(tool)['function']);
      return { name: asText(name), schema: parameters };
    }),
    conversation: asText(fields['user']),
    ...(schema === undefined ? {} : { schema }),
  };
}

function eventsOf(message: unknown): ConversationEvent[] {
  const { role, content, tool_call_id: id } = asRecord(message);
  switch (role) {
    case 'tool':
      return [{ kind: 'result', callId: asText(id), output: textOf(content) }];
    case 'assistant':
      return [{ kind: 'said' }];
    case 'user':
      return [{ kind: 'heard', text: textOf(content) }];
    default:
      return [];
  }
}

function encode({ model }: ModelRequest): ReplyEncoder {
  const base = completion('chat.completion.chunk', model);
  let voice: Voice = 'text';
  let calls = 0;
  const frame = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`;
  const chunk = (delta: object, finish: string | null = null, rest: object = {}): string =>
    frame({ ...base, choices: [{ index: 0, delta, finish_reason: finish }], ...rest });
  return {
    open: () => chunk({ role: 'assistant', content: '' }),
    begin(next) {
      voice = next;
      return '';
    },
    delta: (piece) => chunk(voice === 'text' ? { content: piece } : { reasoning_content: piece }),
    end: () => '',
    call: (call, id) => chunk({ tool_calls: [{ index: calls++, ...functionCall(call, id) }] }),
    fail: (code, message) => frame({ error: { code, message } }),
    close: (usage, stop) => `${chunk({}, finishReasons[stop], { usage: usageOf(usage) })}data: [DONE]\n\n`,
  };
}

const finishReasons: Record<StopReason, string> = { end: 'stop', tool: 'tool_calls', 'max-tokens': 'length' };

const completion = (object: string, model: string): object => ({
  id: uniqueId('chatcmpl'),
  object,
  created: Math.floor(Date.now() / 1000),
  model,
});

const functionCall = (call: ToolCall, id: string): object => ({
  id,
  type: 'function',
  function: { name: call.name, arguments: JSON.stringify(jsonInput(call)) },
});

const usageOf = ({ input, output, cacheRead }: Usage): object => ({
  prompt_tokens: input,
  prompt_tokens_details: { cached_tokens: cacheRead },
  completion_tokens: output,
  total_tokens: input + output,
});
