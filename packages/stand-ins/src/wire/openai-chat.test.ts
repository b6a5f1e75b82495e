import { expect, it } from 'vitest';
import { eventsIn } from '../testing/sse.ts';
import { openaiChat as wire } from './openai-chat.ts';

const usage = { input: 12, output: 34, cacheRead: 0, cacheWrite: 0 };
const call = { name: 'bash', input: { kind: 'json', value: { command: 'ls' } } } as const;

it('reads messages, tools and the schema', () => {
  const read = wire.read(
    {
      messages: [
        { role: 'system', content: 'rules' },
        { role: 'user', content: [{ type: 'text', text: 'a' }] },
        { role: 'assistant', tool_calls: [] },
        { role: 'tool', tool_call_id: 'c1', content: 'out' },
      ],
      tools: [{ type: 'function', function: { name: 'bash' } }],
      response_format: { json_schema: { schema: {} } },
      stream: true,
    },
    '',
  );
  expect(read).toMatchObject({ stream: true, schema: {}, tools: [{ name: 'bash' }] });
  expect(read.events).toEqual([
    { kind: 'heard', text: 'a' },
    { kind: 'said' },
    { kind: 'result', callId: 'c1', output: 'out' },
  ]);
});

it('streams chunks and ends with [DONE]', () => {
  const out = wire.encode(wire.read({ model: 'm' }, ''));
  const text = [
    out.open(),
    out.begin('thinking'),
    out.delta('hm'),
    out.begin('text'),
    out.delta('hi'),
    out.call(call, 'c1'),
    out.call(call, 'c2'),
    out.close(usage, 'tool'),
  ].join('');
  const chunks = eventsIn(text) as { choices: { delta: object; finish_reason: unknown }[] }[];
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toMatchObject([
    { role: 'assistant' },
    { reasoning_content: 'hm' },
    { content: 'hi' },
    { tool_calls: [{ index: 0, id: 'c1', function: { name: 'bash', arguments: '{"command":"ls"}' } }] },
    { tool_calls: [{ index: 1, id: 'c2' }] },
    {},
  ]);
  expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }], usage: { total_tokens: 46 } });
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});

it('answers without streaming', () => {
  const blocks = [
    { voice: 'text' as const, text: 'hi' },
    { call, id: 'c1' },
  ];
  expect(wire.whole(wire.read({}, ''), { blocks, usage, stop: 'tool' })).toMatchObject({
    choices: [{ message: { content: 'hi', tool_calls: [{ id: 'c1' }] }, finish_reason: 'tool_calls' }],
  });
});
