import { describe, expect, it } from 'vitest';
import { isRefused } from './refusal.ts';
import { toolCall } from './testing/messages.ts';

const none = new Set<string>();

describe('isRefused', () => {
  it('knows a call by the answer that was seen', () => {
    const call = toolCall('a', { callId: 'c', toolOutputIsError: true, toolOutput: 'whatever' });
    expect(isRefused(call, new Set(['c']))).toBe(true);
    expect(isRefused(call, none)).toBe(false);
  });

  it('does not call a call refused that ran after all, or has not ended', () => {
    expect(isRefused(toolCall('a', { callId: 'c' }), new Set(['c']))).toBe(false);
    expect(isRefused(toolCall('a', { callId: 'c', status: 'update' }), new Set(['c']))).toBe(false);
  });

  it.each(['Refused.', "The user doesn't want to proceed with this tool use. STOP", 'User rejected the command'])(
    'knows the words of agents: %s',
    (toolOutput) => expect(isRefused(toolCall('a', { toolOutput, toolOutputIsError: true }), none)).toBe(true),
  );

  it('takes no command for refused that merely prints such words', () => {
    expect(isRefused(toolCall('a', { toolOutput: 'Refused.' }), none)).toBe(false);
    expect(isRefused(toolCall('a', { toolOutput: 'ls: Permission denied', toolOutputIsError: true }), none)).toBe(
      false,
    );
  });
});
