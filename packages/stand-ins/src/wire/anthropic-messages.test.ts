import { describe, expect, it } from 'vitest';
import { eventsIn } from '../testing/sse.ts';
import { anthropicMessages as wire } from './anthropic-messages.ts';

const usage = { input: 12, output: 34, cacheRead: 5, cacheWrite: 6 };
const request = wire.read({ model: 'claude-x', stream: true }, '');

describe('reading Anthropic Messages', () => {
  it('reads text blocks one by one, tool results and steering', () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'old' }, { type: 'image' }, { type: 'text', text: 'new' }] },
      { role: 'system', content: 'The following tools are available' },
      { role: 'assistant', content: [{ type: 'tool_use' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'out' }] }] },
      {
        role: 'system',
        content: [
          {
            type: 'text',
            text: 'The user sent a new message while you were working:\nmind\nthis\n\nThis is how Claude Code surfaces',
          },
        ],
      },
    ];
    expect(wire.read({ messages }, '').events).toEqual([
      { kind: 'heard', text: 'old' },
      { kind: 'heard', text: 'new' },
      { kind: 'said' },
      { kind: 'result', callId: 'c1', output: 'out' },
      { kind: 'heard', text: 'mind\nthis' },
    ]);
  });

  it('reads the schema, the plan file and the conversation, and accepts any body', () => {
    const plan =
      '## Plan File Info:\nNo plan file exists yet. You should create your plan at /h/plans/a-b.md using Write.';
    const read = wire.read(
      {
        messages: [{ role: 'system', content: plan }],
        output_config: { format: { schema: { type: 'object' } } },
        metadata: { user_id: 'u' },
      },
      '',
    );
    expect(read).toMatchObject({
      schema: { type: 'object' },
      planFile: '/h/plans/a-b.md',
      conversation: 'u',
      stream: false,
    });
    expect(wire.read(undefined, '').events).toEqual([]);
    expect(wire.read({ messages: [1, null, { role: 'user', content: 7 }], tools: 'x' }, '').events).toEqual([]);
  });
});

describe('writing Anthropic Messages', () => {
  it('streams thinking, text and a tool call as numbered blocks', () => {
    const out = wire.encode(request);
    const frames = eventsIn(
      [
        out.open(),
        out.begin('thinking'),
        out.delta('hm'),
        out.end(),
        out.begin('text'),
        out.delta('hi'),
        out.end(),
        out.call({ name: 'Bash', input: { kind: 'json', value: { command: 'ls' } } }, 'c1'),
        out.close(usage, 'tool'),
      ].join(''),
    );
    expect(frames.map(({ type, index }) => [type, index])).toEqual([
      ['message_start', undefined],
      ['content_block_start', 0],
      ['content_block_delta', 0],
      ['content_block_delta', 0],
      ['content_block_stop', 0],
      ['content_block_start', 1],
      ['content_block_delta', 1],
      ['content_block_stop', 1],
      ['content_block_start', 2],
      ['content_block_delta', 2],
      ['content_block_delta', 2],
      ['content_block_stop', 2],
      ['message_delta', undefined],
      ['message_stop', undefined],
    ]);
    expect(frames[3]).toMatchObject({ delta: { type: 'signature_delta' } });
    const input = frames.slice(9, 11).map(({ delta }) => (delta as { partial_json: string }).partial_json);
    expect(JSON.parse(input.join(''))).toEqual({ command: 'ls' });
    expect(frames.at(-2)).toMatchObject({
      delta: { stop_reason: 'tool_use' },
      usage: { input_tokens: 12, output_tokens: 34, cache_read_input_tokens: 5, cache_creation_input_tokens: 6 },
    });
  });

  it('names errors as the vendor does', () => {
    expect(wire.error(401, 'no')).toEqual({ type: 'error', error: { type: 'authentication_error', message: 'no' } });
    expect(wire.error(400, 'no')).toMatchObject({ error: { type: 'invalid_request_error' } });
    expect(wire.error(529, 'no')).toMatchObject({ error: { type: 'overloaded_error' } });
    expect(eventsIn(wire.encode(request).fail('overloaded_error', 'no'))).toEqual([
      { type: 'error', error: { type: 'overloaded_error', message: 'no' } },
    ]);
  });

  it('answers without streaming', () => {
    const blocks = [{ voice: 'text' as const, text: 'hi' }];
    expect(wire.whole(request, { blocks, usage, stop: 'max-tokens' })).toMatchObject({
      model: 'claude-x',
      content: [{ type: 'text', text: 'hi' }],
      stop_reason: 'max_tokens',
    });
  });
});
