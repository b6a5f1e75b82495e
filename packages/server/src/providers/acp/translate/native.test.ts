import { expect, test } from 'vitest';
import { rawOutputText, readCall, readUpdate, readUsage } from './native.ts';

test.each([
  ['nothing', undefined, 'nameless'],
  ['a number', 7, 'nameless'],
  ['an unknown variant', { sessionUpdate: 'hologram' }, 'hologram'],
  ['a call without an id', { sessionUpdate: 'tool_call', title: 'x' }, 'tool_call without toolCallId'],
])('MM-3: %s is read as unknown, with its name', (_, raw, variant) => {
  expect(readUpdate(raw)).toEqual({ kind: 'unknown', variant });
});

test('content without text is named, and links keep their address', () => {
  const text = (content: unknown): unknown => readUpdate({ sessionUpdate: 'agent_message_chunk', content });
  expect(text({ type: 'image', data: '…', mimeType: 'image/png' })).toMatchObject({ text: '[image image/png]' });
  expect(text({ type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts' })).toMatchObject({
    text: '[a.ts](file:///a.ts)',
  });
  expect(text({ type: 'resource', resource: { uri: 'file:///a', text: 'inside' } })).toMatchObject({ text: 'inside' });
  expect(text({ type: 'hologram' })).toMatchObject({ text: '[hologram]' });
  expect(text(null)).toMatchObject({ text: '' });
});

test('null clears a field, an absent one says nothing, an empty input is never read', () => {
  const call = readCall({ toolCallId: 'c', title: null, content: null, locations: null, rawInput: {} });
  expect(call).toEqual({ callId: 'c', title: null, text: null, diffs: null, locations: null });
});

test('an unknown kind is `other`; an input that is no object is kept under a name', () => {
  expect(readCall({ toolCallId: 'c', kind: 'weird', rawInput: 'ls' })).toMatchObject({
    kind: 'other',
    toolArguments: { input: 'ls' },
  });
});

test('Q3: shell output is read from where codex-acp puts it', () => {
  expect(readCall({ toolCallId: 'c', _meta: { terminal_output_delta: { data: 'a\n' } } })).toMatchObject({
    shellOutput: 'a\n',
  });
  expect(readCall({ toolCallId: 'c', _meta: { terminal_output: { data: 'b\n' } } })).toMatchObject({
    shellOutput: 'b\n',
  });
});

test('a diff without its new text is no diff', () => {
  const content = [
    { type: 'diff', path: '/a', newText: 'new' },
    { type: 'diff', path: '/b' },
  ];
  expect(readCall({ toolCallId: 'c', content })).toMatchObject({
    diffs: [{ path: '/a', oldText: null, newText: 'new' }],
  });
});

test('a result given as data is shown as its text, where it has any', () => {
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

test('MM-2: token use is read under either of its names', () => {
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
