import { describe, expect, it } from 'vitest';
import { isRefused } from './refusal.ts';
import { toolCall } from './testing/messages.ts';

describe('isRefused', () => {
  it('knows a call by the mark on it', () => {
    const call = toolCall('a', { toolOutputIsError: true, toolOutput: 'whatever' });
    expect(isRefused({ ...call, refused: true }, false)).toBe(true);
    expect(isRefused(call, false)).toBe(false);
  });

  it('knows one that was left hanging once its turn has ended', () => {
    const call = toolCall('a', { refused: true, status: 'update' });
    expect([isRefused(call, false), isRefused(call, true)]).toEqual([false, true]);
  });

  it('does not call a call refused that ran after all', () => {
    expect(isRefused(toolCall('a', { refused: true }), true)).toBe(false);
  });

  it.each(['Refused.', "The user doesn't want to proceed with this tool use. STOP", 'User rejected the command'])(
    'recognises the agents’ wording: %s',
    (toolOutput) => expect(isRefused(toolCall('a', { toolOutput, toolOutputIsError: true }), true)).toBe(true),
  );

  it('doesn’t take a command for refused that merely prints such text', () => {
    expect(isRefused(toolCall('a', { toolOutput: 'Refused.' }), true)).toBe(false);
    expect(isRefused(toolCall('a', { toolOutput: 'ls: Permission denied', toolOutputIsError: true }), true)).toBe(
      false,
    );
  });
});
