import type { ConversationEvent } from '../conversation.ts';
import { asArray, asRecord, asText, textOf } from './read-body.ts';
import { responsesEncoder, wholeResponse } from './openai-responses-encoder.ts';
import type { ModelRequest, OfferedTool, WireFormat } from './wire-format.ts';

/** OpenAI Responses: what Codex speaks. */
export const openaiResponses: WireFormat = {
  accepts: (path) => path.endsWith('/responses'),
  read,
  encode: responsesEncoder,
  whole: wholeResponse,
  error: (status, message) => ({ error: { type: `http_${status}`, code: `http_${status}`, message } }),
};

function read(body: unknown): ModelRequest {
  const fields = asRecord(body);
  const input =
    typeof fields['input'] === 'string' ? [{ role: 'user', content: fields['input'] }] : asArray(fields['input']);
  const { schema } = asRecord(asRecord(fields['text'])['format']);
  return {
    model: asText(fields['model']) || 'stand-in',
    stream: fields['stream'] === true,
    events: input.flatMap(eventsOf),
    tools: [...asArray(fields['tools']), ...input.flatMap(toolsInside)].flatMap(toolsOf),
    conversation: asText(fields['prompt_cache_key']),
    ...(schema === undefined ? {} : { schema }),
  };
}

const outputs = ['function_call_output', 'custom_tool_call_output', 'local_shell_call_output', 'tool_search_output'];

function eventsOf(item: unknown): ConversationEvent[] {
  const fields = asRecord(item);
  if (outputs.includes(asText(fields['type']))) {
    const output = asRecord(fields['output'])['content'] ?? fields['output'];
    return [{ kind: 'result', callId: asText(fields['call_id']), output: textOf(output) }];
  }
  if (fields['role'] === 'user') return [{ kind: 'heard', text: textOf(fields['content']) }];
  return fields['role'] === 'assistant' ? [{ kind: 'said' }] : [];
}

// "Code mode" models get their tools in the conversation, as do tools found by a tool search.
function toolsInside(item: unknown): readonly unknown[] {
  const { type, tools } = asRecord(item);
  return type === 'additional_tools' || type === 'tool_search_output' ? asArray(tools) : [];
}

function toolsOf(tool: unknown): OfferedTool[] {
  const fields = asRecord(tool);
  if (fields['type'] !== 'namespace') return [offered(fields)];
  const namespace = asText(fields['name']);
  return asArray(fields['tools']).map((inner) => ({
    ...offered(asRecord(inner)),
    ...(namespace === 'functions' ? {} : { namespace }),
  }));
}

const offered = (fields: Record<string, unknown>): OfferedTool => ({
  name: asText(fields['name']) || asText(fields['type']),
  freeform: fields['type'] === 'custom',
  schema: fields['parameters'],
});
