import { describe, expect, it } from 'vitest';
import { keepsMode } from './keeps-mode.ts';

describe('an agent that switched its mode by itself', () => {
  it.each([
    ['plan', false, true],
    ['default', false, true],
    ['read-only', false, true],
    ['acceptEdits', false, false],
    ['workspace-write', false, false],
    ['a-mode-of-its-own', false, false],
    ['acceptEdits', true, true],
    ['bypassPermissions', false, false],
    ['bypassPermissions', true, false],
  ])('to %s, with all edits approved: %s, starts in it again: %s', (id, editsAreApproved, expected) => {
    expect(keepsMode({ id }, editsAreApproved)).toBe(expected);
  });

  it('does not start again in a mode that asks for nothing, whatever its name', () => {
    expect(keepsMode({ id: 'default', description: 'Runs everything without asking' }, true)).toBe(false);
  });
});
