import { describe, expect, it } from 'vitest';
import { eventsIn } from '../testing/sse.ts';
import { openaiResponses as wire } from './openai-responses.ts';

const usage = { input: 12, output: 34, cacheRead: 5, cacheWrite: 0 };
const request = wire.read({ model: 'gpt-x', stream: true }, '');

describe('reading OpenAI Responses', () => {
  it('reads prompts, answers and the outputs of every kind of call', () => {
    const input = [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }, { type: 'input_image' }] },
      { type: 'message', role: 'assistant', content: [] },
      { type: 'function_call', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: 'out' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: { content: [{ text: 'patched' }] } },
    ];
    expect(wire.read({ input }, '').events).toEqual([
      { kind: 'heard', text: 'a' },
      { kind: 'said' },
      { kind: 'result', callId: 'c1', output: 'out' },
      { kind: 'result', callId: 'c2', output: 'patched' },
    ]);
    expect(wire.read({ input: 'hi' }, '').events).toEqual([{ kind: 'heard', text: 'hi' }]);
  });

  it('finds tools in namespaces and inside the conversation', () => {
    const tools = [
      { type: 'function', name: 'exec_command' },
      { type: 'custom', name: 'apply_patch' },
      { type: 'web_search' },
      { type: 'namespace', name: 'mcp__x', tools: [{ type: 'function', name: 'get' }] },
    ];
    const input = [{ type: 'additional_tools', tools: [{ type: 'custom', name: 'exec' }] }];
    const read = wire.read({ tools, input, text: { format: { schema: {} } }, prompt_cache_key: 't' }, '');
    expect(read).toMatchObject({ schema: {}, conversation: 't' });
    expect(read.tools.map(({ name, namespace, freeform }) => [name, namespace, freeform])).toEqual([
      ['exec_command', undefined, false],
      ['apply_patch', undefined, true],
      ['web_search', undefined, false],
      ['get', 'mcp__x', false],
      ['exec', undefined, true],
    ]);
  });
});

describe('writing OpenAI Responses', () => {
  it('streams reasoning, text and calls, and repeats them in full at the end', () => {
    const out = wire.encode(request);
    const frames = eventsIn(
      [
        out.open(),
        out.begin('thinking'),
        out.delta('hm'),
        out.end(),
        out.begin('text'),
        out.delta('a'),
        out.delta('b'),
        out.end(),
        out.call({ name: 'get', namespace: 'mcp__x', input: { kind: 'json', value: { a: 1 } } }, 'c1'),
        out.call({ name: 'apply_patch', input: { kind: 'freeform', text: 'patch' } }, 'c2'),
        out.call({ name: 'tool_search', input: { kind: 'json', value: {} } }, 'c3'),
        out.close(usage, 'tool'),
      ].join(''),
    );
    expect(frames.map(({ sequence_number: number }) => number)).toEqual(frames.map((_, index) => index));
    expect(frames.at(-1)).toMatchObject({
      type: 'response.completed',
      response: {
        output: [
          { type: 'reasoning', summary: [{ text: 'hm' }] },
          { type: 'message', content: [{ text: 'ab' }] },
          { type: 'function_call', call_id: 'c1', name: 'get', namespace: 'mcp__x', arguments: '{"a":1}' },
          { type: 'custom_tool_call', call_id: 'c2', input: 'patch' },
          { type: 'tool_search_call', call_id: 'c3' },
        ],
        usage: { input_tokens: 12, output_tokens: 34, total_tokens: 46 },
      },
    });
    const indexes = frames.flatMap(({ type, output_index: index }) =>
      type === 'response.output_item.done' ? [index] : [],
    );
    expect(indexes).toEqual([0, 1, 2, 3, 4]);
  });

  it('ends early when the budget is spent or the model fails', () => {
    expect(eventsIn(wire.encode(request).close(usage, 'max-tokens'))).toMatchObject([
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
    ]);
    expect(eventsIn(wire.encode(request).fail('server_error', 'no'))).toMatchObject([
      { type: 'response.failed', response: { error: { code: 'server_error', message: 'no' } } },
    ]);
  });
});
