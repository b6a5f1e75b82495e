import { expect, test } from 'vitest';
import { ProviderError } from '../../provider-error.ts';
import { AgentRefused, modelFailure, openFailure, plainText, promptFailure } from './failures.ts';

test.each([
  [new AgentRefused(-32000, 'Authentication required'), 'AGENT_AUTH_REQUIRED', /isn't signed in/],
  [new AgentRefused(-32603, 'Internal error', { details: 'the model said no' }), 'MODEL_ERROR', /^the model said no$/],
  [new AgentRefused(-32603, 'Internal error: scripted'), 'MODEL_ERROR', /^scripted$/],
  [new AgentRefused(400, '{"error":{"message":"bad request"}}'), 'MODEL_ERROR', /^bad request$/],
  [new AgentRefused(-32603, '429 Too Many Requests'), 'RATE_LIMITED', /429/],
  [new AgentRefused(-32002, 'Session x not found'), 'PROTOCOL_ERROR', /no longer knows/],
])('Q15, TC-4: an error on a prompt fails its turn: %s', (error, code, message) => {
  const failure = promptFailure(error, { name: 'Agent' }, []);
  expect(failure.code).toBe(code);
  expect(failure.message).toMatch(message);
});

test('Q15: a dead app-server is a crash', () => {
  expect(promptFailure(new AgentRefused(1001, 'killed'), { name: 'Codex' }, []).code).toBe('PROCESS_CRASH');
});

test.each([
  [new AgentRefused(-32002, 'Session not found'), 'SESSION_NOT_FOUND'],
  [new AgentRefused(-32603, 'Internal error', { details: 'no rollout found for thread id x' }), 'SESSION_NOT_FOUND'],
  [new AgentRefused(-32603, 'Internal error', { details: 'Invalid session identifier "x"' }), 'SESSION_NOT_FOUND'],
  [new AgentRefused(-32600, 'busy', { reason: 'thread_active_writer' }), 'SESSION_CREATE_FAILED'],
  [new AgentRefused(-32603, 'Internal error'), 'SESSION_CREATE_FAILED'],
  [new ProviderError('AGENT_UNRESPONSIVE', 'late'), 'AGENT_UNRESPONSIVE'],
])('Q11, Q12: reports a session that cannot be loaded: %s', (error, code) => {
  expect(openFailure(error, { name: 'Agent' }, [], 'x').code).toBe(code);
});

test('messages are plain: no colours, no control characters, never empty', () => {
  expect(plainText('\u001b[31mred\u001b[0m\u0007 text')).toBe('red text');
  expect(modelFailure('').message).not.toBe('');
});
