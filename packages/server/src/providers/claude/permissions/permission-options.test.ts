import { describe, expect, test } from 'vitest';
import type { PermissionSuggestion } from '../process/claude-sdk.ts';
import { lastingPermissions } from './permission-options.ts';

const rule = (toolName: string, ruleContent: string): PermissionSuggestion => ({
  type: 'addRules',
  rules: [{ toolName, ruleContent }],
  behavior: 'allow',
  destination: 'localSettings',
});
const directory: PermissionSuggestion = { type: 'addDirectories', directories: ['/p'], destination: 'session' };
const edits: PermissionSuggestion = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const bash = { toolName: 'Bash', blockedPath: undefined, trusted: true };
const names = (permissions: ReturnType<typeof lastingPermissions>) => permissions.map(({ option }) => option.name);

describe('permanent permissions that are offered (each verified on the real agent)', () => {
  test('a rule says what it allows and where it is stored', () => {
    const [permission] = lastingPermissions([rule('Bash', 'npm test *')], bash);
    expect(permission?.option).toEqual({
      optionId: 'always-0',
      kind: 'allow_always',
      name: 'Always allow Bash(npm test *)',
      description: 'For you, in this folder. Stored in .claude/settings.local.json.',
    });
    expect(permission?.updates).toEqual([rule('Bash', 'npm test *')]);
  });

  test('in an untrusted folder everything is for the session only and says so', () => {
    const [permission] = lastingPermissions([rule('Bash', 'npm test *')], { ...bash, trusted: false });
    expect(permission?.option.description).toBe('For this session only.');
    expect(permission?.updates).toEqual([{ ...rule('Bash', 'npm test *'), destination: 'session' }]);
  });

  test('a directory alone is never offered, but is added to the others', () => {
    expect(lastingPermissions([directory], bash)).toEqual([]);
    const offered = lastingPermissions([rule('Bash', 'touch a'), directory, edits], { ...bash, blockedPath: '/p/a' });
    expect(names(offered)).toEqual(['Always allow Bash(touch a)', 'Allow edits this session']);
    for (const { updates } of offered) expect(updates).toContainEqual(directory);
  });

  test('says which other directories it would add, and where that is stored', () => {
    const further: PermissionSuggestion = {
      type: 'addDirectories',
      directories: ['/srv/a', '/home/you/b'],
      destination: 'userSettings',
    };
    const [permission] = lastingPermissions([rule('Bash', 'npm test *'), further], bash);
    expect(permission?.option.description).toBe(
      'For you, in this folder. Stored in .claude/settings.local.json. Also lets it work in the directories /srv/a, /home/you/b. For all your folders. Stored in your Claude Code settings.',
    );
    const [untrusted] = lastingPermissions([edits, directory], { ...bash, trusted: false });
    expect(untrusted?.option.description).toBe(
      'For this session only. Also lets it work in the directory /p. For this session only.',
    );
  });

  test('offers nothing for a redirection into a file', () => {
    expect(lastingPermissions([rule('Bash', 'echo hi *'), directory], { ...bash, blockedPath: '/p/out' })).toEqual([]);
  });

  test('offers only the read rule for reading elsewhere', () => {
    const offered = lastingPermissions([rule('Bash', 'cat /etc/x'), rule('Read', '//etc/**')], {
      ...bash,
      blockedPath: '/etc/x',
    });
    expect(names(offered)).toEqual(['Always allow Read(//etc/**)']);
  });

  test('rules that deny or remove are not permissions', () => {
    const deny: PermissionSuggestion = {
      type: 'addRules',
      rules: [{ toolName: 'Bash' }],
      behavior: 'deny',
      destination: 'session',
    };
    const remove: PermissionSuggestion = {
      type: 'removeRules',
      rules: [{ toolName: 'Bash' }],
      behavior: 'allow',
      destination: 'session',
    };
    expect(lastingPermissions([deny, remove], bash)).toEqual([]);
  });
});
