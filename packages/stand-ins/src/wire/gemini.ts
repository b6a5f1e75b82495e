import type { ConversationEvent } from '../conversation.ts';
import type { Usage, Voice } from '../steps.ts';
import { asArray, asRecord, asText } from './read-body.ts';
import { jsonInput } from './wire-format.ts';
import type { ModelRequest, ReplyEncoder, StopReason, ToolCall, WireFormat } from './wire-format.ts';

const callPath = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/;

/** Gemini: what gemini-cli speaks. Model and streaming are in the path, not in the body. */
export const gemini: WireFormat = {
  accepts: (path) => callPath.test(path),
  read,
  encode,
  whole: ({ model }, { blocks, usage, stop }) => {
    const parts = blocks.map((block) =>
      'call' in block ? callPart(block.call, block.id) : textPart(block.voice, block.text),
    );
    return answer(model, parts, { finish: stop, usage });
  },
  error: (status, message) => ({ error: { code: status, status: statusNames[status] ?? 'INTERNAL', message } }),
};

function read(body: unknown, path: string): ModelRequest {
  const fields = asRecord(body);
  const [, model = 'stand-in', method] = callPath.exec(path) ?? [];
  const config = asRecord(fields['generationConfig']);
  const schema = config['responseJsonSchema'] ?? config['responseSchema'];
  return {
    model,
    stream: method === 'streamGenerateContent',
    events: asArray(fields['contents']).flatMap(eventsOf),
    tools: asArray(fields['tools'])
      .flatMap((tool) => asArray(asRecord(tool)['functionDeclarations']))
      .map((tool) => {
        const { name, parameters, parametersJsonSchema } = asRecord(tool);
        return { name: asText(name), schema: parameters ?? parametersJsonSchema };
      }),
    conversation: '',
    ...(schema === undefined ? {} : { schema }),
  };
}

function eventsOf(content: unknown): ConversationEvent[] {
  const { role, parts } = asRecord(content);
  if (role === 'model') return [{ kind: 'said' }];
  return asArray(parts).flatMap((part): ConversationEvent[] => {
    const fields = asRecord(part);
    const text = asText(fields['text']);
    if (fields['functionResponse'] === undefined) return text ? [{ kind: 'heard', text }] : [];
    const { id, response } = asRecord(fields['functionResponse']);
    return [{ kind: 'result', callId: asText(id), output: JSON.stringify(response ?? '') }];
  });
}

function encode({ model }: ModelRequest): ReplyEncoder {
  let voice: Voice = 'text';
  const frame = (value: object): string => `data: ${JSON.stringify(value)}\r\n\r\n`;
  return {
    open: () => '',
    begin(next) {
      voice = next;
      return '';
    },
    delta: (piece) => frame(answer(model, [textPart(voice, piece)])),
    end: () => '',
    call: (call, id) => frame(answer(model, [callPart(call, id)])),
    fail: (code, message) => frame({ error: { code: 500, status: code, message } }),
    close: (usage, finish) => frame(answer(model, [{ text: '' }], { finish, usage })),
  };
}

const textPart = (voice: Voice, text: string): object => ({ text, ...(voice === 'thinking' ? { thought: true } : {}) });

const callPart = (call: ToolCall, id: string): object => ({
  functionCall: { id, name: call.name, args: jsonInput(call) },
});

function answer(model: string, parts: readonly object[], ending?: { finish: StopReason; usage: Usage }): object {
  const finish = ending ? { finishReason: ending.finish === 'max-tokens' ? 'MAX_TOKENS' : 'STOP' } : {};
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...finish }],
    modelVersion: model,
    ...(ending ? { usageMetadata: usageOf(ending.usage) } : {}),
  };
}

const usageOf = ({ input, output, cacheRead }: Usage): object => ({
  promptTokenCount: input,
  cachedContentTokenCount: cacheRead,
  candidatesTokenCount: output,
  totalTokenCount: input + output,
});

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};
