import { describe, expect, it } from 'vitest';
import { dangerOf, isDangerousMode } from './is-dangerous-mode.ts';

describe('PM-3: a mode in which nobody is asked', () => {
  it.each([
    { id: 'bypassPermissions', name: 'Bypass Permissions' },
    { id: 'full-access', name: 'Full Access' },
    { id: 'agent-full-access' },
    { id: 'danger-full-access' },
    { id: 'yolo', name: 'YOLO' },
    { id: 'm4', name: 'Full access (no approvals)' },
    { id: 'dangerously-skip-permissions' },
    { id: 'approve_all' },
  ])('$id $name needs a confirmation', (mode) => expect(isDangerousMode(mode)).toBe(true));

  it.each([
    { id: 'default', name: 'Ask' },
    { id: 'acceptEdits', name: 'Accept Edits' },
    { id: 'plan', name: 'Plan' },
    { id: 'auto', name: 'Auto' },
    { id: 'workspace-write', name: 'Workspace write' },
    { id: 'read-only', name: 'Read only' },
  ])('$id does not', (mode) => expect(isDangerousMode(mode)).toBe(false));

  it('says what it means', () => {
    expect(dangerOf({ id: 'full-access', name: 'Full Access' }, 'Codex')).toMatch(
      /"Full Access" Codex .* without asking you/,
    );
  });
});
