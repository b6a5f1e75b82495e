import { expect, test } from 'vitest';
import { rawOutputText, readCall, readUpdate, readUsage } from './native.ts';

test.each([
  ['nothing', undefined, 'nameless'],
  ['a number', 7, 'nameless'],
  ['an unknown variant', { sessionUpdate: 'hologram' }, 'hologram'],
  ['a call without an id', { sessionUpdate: 'tool_call', title: 'x' }, 'tool_call without toolCallId'],
])('MM-3: reads %s as unknown, with its name', (_, raw, variant) => {
  expect(readUpdate(raw)).toEqual({ kind: 'unknown', variant });
});

test('names content without text, and keeps the address of links', () => {
  const text = (content: unknown): unknown => readUpdate({ sessionUpdate: 'agent_message_chunk', content });
  expect(text({ type: 'image', data: '…', mimeType: 'image/png' })).toMatchObject({ text: '[image image/png]' });
  expect(text({ type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts' })).toMatchObject({
    text: '[a.ts](file:///a.ts)',
  });
  expect(text({ type: 'resource', resource: { uri: 'file:///a', text: 'inside' } })).toMatchObject({ text: 'inside' });
  expect(text({ type: 'hologram' })).toMatchObject({ text: '[hologram]' });
  expect(text(null)).toMatchObject({ text: '' });
});

test('null clears a field, an absent one changes nothing, an empty input is ignored', () => {
  const call = readCall({ toolCallId: 'c', title: null, content: null, locations: null, rawInput: {} });
  expect(call).toEqual({ callId: 'c', title: null, text: null, diffs: null, locations: null });
});

test('reads an unknown kind as `other`, and keeps an input that is not an object under a name', () => {
  expect(readCall({ toolCallId: 'c', kind: 'weird', rawInput: 'ls' })).toMatchObject({
    kind: 'other',
    toolArguments: { input: 'ls' },
  });
});

test('Q3: reads shell output from where codex-acp puts it', () => {
  expect(readCall({ toolCallId: 'c', _meta: { terminal_output_delta: { data: 'a\n' } } })).toMatchObject({
    shellOutput: 'a\n',
  });
  expect(readCall({ toolCallId: 'c', _meta: { terminal_output: { data: 'b\n' } } })).toMatchObject({
    shellOutput: 'b\n',
  });
});

test('ignores a diff without its new text', () => {
  const content = [
    { type: 'diff', path: '/a', newText: 'new' },
    { type: 'diff', path: '/b' },
  ];
  expect(readCall({ toolCallId: 'c', content })).toMatchObject({
    diffs: [{ path: '/a', oldText: null, newText: 'new' }],
  });
});

test('shows a result given as data as text, if it has any', () => {
  expect(rawOutputText('plain')).toBe('plain');
  expect(rawOutputText({ output: 'out' })).toBe('out');
  expect(
    rawOutputText({
      result: {
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      error: null,
    }),
  ).toBe('one\ntwo');
  expect(rawOutputText({ result: null, error: { message: 'no' } })).toBe('no');
  expect(rawOutputText({ exit_code: 0 })).toBeUndefined();
});

test('MM-2: reads token use under either of its names', () => {
  expect(readUsage({ usage: { inputTokens: 5, outputTokens: 2, cachedReadTokens: 3 } })).toEqual({
    inputTokens: 5,
    outputTokens: 2,
    cacheReadInputTokens: 3,
  });
  expect(readUsage({ _meta: { quota: { token_count: { input_tokens: 4, output_tokens: 1 } } } })).toEqual({
    inputTokens: 4,
    outputTokens: 1,
  });
  expect(readUsage({ usage: null })).toBeUndefined();
});
