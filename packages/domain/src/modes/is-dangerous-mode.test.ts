import { describe, expect, it } from 'vitest';
import { dangerOf, isDangerousMode } from './is-dangerous-mode.ts';

describe('PM-3: a mode without permission requests', () => {
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

  it.each([
    'Runs everything without asking',
    'Codex can edit files outside this workspace and access the internet without asking for approval.',
    'Auto-approves all tools',
    'Bypass all permission checks',
    'Never asks for approval',
    'Does not ask before it acts',
    'No approvals',
    'Skips every confirmation',
    'Executes all commands automatically',
    'Works without your approval',
  ])('is recognised by its description, whatever its name: %s', (description) => {
    expect(isDangerousMode({ id: 'swift', name: 'Swift', description })).toBe(true);
  });

  it.each([
    'Asks before edits and commands.',
    'Edits files in the folder without asking. Asks before commands.',
    'Rejects whatever is not already allowed, without asking.',
    'Standard behavior, prompts for dangerous operations',
    'Auto-accept file edit operations',
    'Planning mode, no actual tool execution',
    "Don't prompt for permissions, deny if not pre-approved",
    'Can edit files and run commands. Approval is required to access the internet or edit other files.',
  ])('doesn’t include modes that still ask, refuse or only edit: %s', (description) => {
    expect(isDangerousMode({ id: 'careful', name: 'Careful', description })).toBe(false);
  });

  it('has a warning that explains it', () => {
    expect(dangerOf({ id: 'full-access', name: 'Full Access' }, 'Codex')).toMatch(
      /"Full Access", Codex .* without asking/,
    );
  });
});
