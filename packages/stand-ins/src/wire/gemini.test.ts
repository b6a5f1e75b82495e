import { expect, it } from 'vitest';
import { eventsIn } from '../testing/sse.ts';
import { gemini as wire } from './gemini.ts';

const path = '/v1beta/models/gemini-x:streamGenerateContent';
const usage = { input: 12, output: 34, cacheRead: 0, cacheWrite: 0 };

it('reads the model and streaming from the path', () => {
  expect(wire.accepts(path)).toBe(true);
  expect(wire.accepts('/v1beta/models/gemini-x:countTokens')).toBe(false);
  expect(wire.read({}, path)).toMatchObject({ model: 'gemini-x', stream: true });
  expect(wire.read({}, '/v1beta/models/gemini-x:generateContent')).toMatchObject({ stream: false });
});

it('reads contents, tools and the schema', () => {
  const read = wire.read(
    {
      contents: [
        { role: 'user', parts: [{ text: 'a' }, { inlineData: {} }] },
        { role: 'model', parts: [{ functionCall: {} }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', response: { output: 'out' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
      generationConfig: { responseJsonSchema: {} },
    },
    path,
  );
  expect(read).toMatchObject({ tools: [{ name: 'run_shell_command' }], schema: {} });
  expect(read.events).toEqual([
    { kind: 'heard', text: 'a' },
    { kind: 'said' },
    { kind: 'result', callId: 'c1', output: '{"output":"out"}' },
  ]);
});

it('streams answers and ends with the finish reason', () => {
  const out = wire.encode(wire.read({}, path));
  const frames = eventsIn(
    [
      out.begin('thinking'),
      out.delta('hm'),
      out.begin('text'),
      out.delta('hi'),
      out.call({ name: 'x', input: { kind: 'freeform', text: 'raw' } }, 'c1'),
      out.close(usage, 'max-tokens'),
    ].join(''),
  ) as { candidates: { content: { parts: object[] } }[] }[];
  expect(frames.flatMap(({ candidates }) => candidates[0]?.content.parts)).toEqual([
    { text: 'hm', thought: true },
    { text: 'hi' },
    { functionCall: { id: 'c1', name: 'x', args: { input: 'raw' } } },
    { text: '' },
  ]);
  expect(frames.at(-1)).toMatchObject({
    candidates: [{ finishReason: 'MAX_TOKENS' }],
    usageMetadata: { totalTokenCount: 46 },
  });
  expect(wire.error(429, 'slow')).toEqual({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slow' } });
});
