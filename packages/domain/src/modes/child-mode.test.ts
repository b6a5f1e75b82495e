import { expect, it } from 'vitest';
import { childMode } from './child-mode.ts';

it.each([
  ['claude-code', undefined, 'claude-code', 'default'],
  ['claude-code', 'default', 'codex', 'read-only'],
  ['claude-code', 'dontAsk', 'claude-code', 'default'],
  ['claude-code', 'acceptEdits', 'claude-code', 'acceptEdits'],
  ['claude-code', 'acceptEdits', 'codex', 'workspace-write'],
  ['claude-code', 'bypassPermissions', 'claude-code', 'acceptEdits'],
  ['codex', 'agent-full-access', 'codex', 'workspace-write'],
  ['codex', 'read-only', 'claude-code', 'default'],
  ['other', 'yolo', 'claude-code', 'default'],
  ['claude-code', 'plan', 'claude-code', null],
  ['claude-code', 'bypassPermissions', 'other', null],
])('%s in mode %s starts %s in mode %s', (cliType, modeId, child, expected) => {
  expect(childMode({ cliType, modeId }, child)).toBe(expected);
});

it('asks before edits if the parent isn’t one of our sessions', () => {
  expect(childMode(null, 'claude-code')).toBe('default');
  expect(childMode(null, 'constructor')).toBeNull();
});
