import { expect, test, describe, it } from 'vitest';
import { message, toolCall, turnComplete } from './testing/messages.ts';
import { summarizeTurn, isRefused } from './turn-summary.ts';

const edit = (itemId: string, path: string, oldText: string | null, newText: string, fields = {}) =>
  toolCall(itemId, { toolKind: 'edit', diffs: [{ path, oldText, newText }], ...fields });

test('sums up files with their lines, commands, time, tokens and cost', () => {
  const items = [
    message('m'),
    edit('a', 'sum.js', 'a\nb\n', 'a\nB\n'),
    edit('b', 'sum.js', 'c\n', 'c\nd\n'),
    edit('c', 'new.js', null, 'x\ny\n'),
    toolCall('d', { toolKind: 'execute' }),
    toolCall('e', { toolKind: 'execute', toolOutputIsError: true }),
  ];
  const usage = { inputTokens: 12_000, outputTokens: 400, cacheReadInputTokens: 90_000 };
  const ended = { ...turnComplete(), usage, costUsd: 0.04, durationMs: 34_000 };
  expect(summarizeTurn(ended, items)).toEqual({
    state: 'completed',
    files: [
      { path: 'sum.js', added: 2, removed: 1 },
      { path: 'new.js', added: 2, removed: 0 },
    ],
    added: 4,
    removed: 1,
    commands: 2,
    commandIds: ['d', 'e'],
    editIds: ['a', 'b', 'c'],
    durationMs: 34_000,
    tokens: 12_400,
    usage,
    costUsd: 0.04,
  });
});

test('doesn’t count files of a call that failed or was stopped', () => {
  const items = [
    edit('a', 'a.js', null, 'x', { toolOutputIsError: true }),
    edit('b', 'b.js', null, 'x', { status: 'update' }),
  ];
  expect(summarizeTurn(turnComplete('t1', 'cancelled'), items)).toEqual({
    state: 'cancelled',
    files: [],
    added: 0,
    removed: 0,
    commands: 0,
    commandIds: [],
    editIds: [],
  });
});

test('doesn’t count a refused command', () => {
  const refused = toolCall('a', { toolKind: 'execute', refused: true, toolOutputIsError: true });
  expect(summarizeTurn(turnComplete(), [refused])).toMatchObject({ commands: 0, commandIds: [] });
});

test('includes the reason of a failed turn', () => {
  const ended = {
    type: 'turn_error' as const,
    turnId: 't1',
    sessionId: 's',
    errorCode: 'RATE_LIMITED',
    errorMessage: 'Wait.',
  };
  expect(summarizeTurn(ended, [])).toMatchObject({
    state: 'failed',
    error: { code: 'RATE_LIMITED', message: 'Wait.' },
  });
});

describe('isRefused', () => {
  it('recognises a marked call', () => {
    const call = toolCall('a', { toolOutputIsError: true, toolOutput: 'whatever' });
    expect(isRefused({ ...call, refused: true }, false)).toBe(true);
    expect(isRefused(call, false)).toBe(false);
  });

  it('recognises a call that was left hanging once its turn has ended', () => {
    const call = toolCall('a', { refused: true, status: 'update' });
    expect([isRefused(call, false), isRefused(call, true)]).toEqual([false, true]);
  });

  it('is false for a call that ran after all', () => {
    expect(isRefused(toolCall('a', { refused: true }), true)).toBe(false);
  });

  it.each(['Refused.', "The user doesn't want to proceed with this tool use. STOP", 'User rejected the command'])(
    'recognises the agents’ wording: %s',
    (toolOutput) => expect(isRefused(toolCall('a', { toolOutput, toolOutputIsError: true }), true)).toBe(true),
  );

  it('is false for a command that merely prints such text', () => {
    expect(isRefused(toolCall('a', { toolOutput: 'Refused.' }), true)).toBe(false);
    expect(isRefused(toolCall('a', { toolOutput: 'ls: Permission denied', toolOutputIsError: true }), true)).toBe(
      false,
    );
  });
});
