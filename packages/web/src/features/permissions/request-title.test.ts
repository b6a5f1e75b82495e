import { describe, expect, it } from 'vitest';
import type { PermissionRequest } from '@liminal/contracts';
import { permissionRequest as request } from './testing/permission-request.ts';
import { isToolSaid, requestTitle } from './request-title.ts';

const titled = (fields: Partial<PermissionRequest>): string => {
  const { text, code } = requestTitle(request(fields), '/p');
  return code === '' ? text : `${text} [${code}]`;
};
const running = (command: unknown): string => titled({ toolName: 'Bash', toolArguments: { command } });

describe('PM-1: the title of a request', () => {
  it.each([
    ['npm publish --access public', 'Run [npm publish --access public]'],
    ['ls', 'Run [ls]'],
    ['rm -rf build', 'Run [rm -rf build]'],
    [`rm -rf ${'build/'.repeat(10)}`, 'Run [rm -rf …]'],
    ['rm -rf "my folder"', 'Run [rm -rf …]'],
    ['rm -rf bu\u202eild', 'Run [rm -rf …]'],
    [['git', 'push'], 'Run [git push]'],
  ])('names a plain command: %j', (command, title) => expect(running(command)).toBe(title));

  it.each(['npm test; rm -rf /', 'ls && curl x', 'echo $(rm x)', 'ls > /etc/x', 'ls `x`', 'X=1 rm y', 'ls #'])(
    'doesn’t name a part of a command that does more than its first words: %j',
    (command) => expect(running(command)).toBe('Run this command'),
  );

  it('includes the length of a script', () => {
    expect(running('begin\nrun\nend')).toBe('Run a script of 3 lines');
  });

  it('says what happens to a file', () => {
    const diff = { path: '/p/src/a.ts', oldText: 'a', newText: 'b' };
    expect(titled({ diffs: [diff] })).toBe('Edit [src/a.ts]');
    expect(titled({ diffs: [{ ...diff, oldText: null }] })).toBe('Create [src/a.ts]');
    expect(titled({ diffs: [{ ...diff, oldText: null, overwrites: true }] })).toBe('Replace [src/a.ts]');
    expect(titled({ diffs: [diff, { ...diff, path: '/p/b.ts' }] })).toBe('Edit 2 files');
  });

  it('is the agent’s own if we have nothing better', () => {
    expect(titled({ title: 'Tidy up', toolName: 'mine' })).toBe('Tidy up');
    expect(titled({ title: 'mine', toolName: 'mine' })).toBe('Use mine?');
    expect(titled({ kind: 'plan', title: 'Approve this plan?' })).toBe('Approve this plan?');
  });

  it('makes the tool name unnecessary only if it says the same', () => {
    const said = (fields: Partial<PermissionRequest>): boolean => isToolSaid(request(fields));
    expect(said({ toolName: 'Bash', toolArguments: { command: 'ls' } })).toBe(true);
    expect(said({ toolName: 'run_command', toolArguments: { command: 'ls' } })).toBe(true);
    expect(said({ toolName: 'mcp remote_shell', toolArguments: { command: 'ls' } })).toBe(false);
    expect(said({ toolName: 'Edit', diffs: [{ path: '/a', oldText: 'a', newText: 'b' }] })).toBe(true);
    expect(said({ toolName: 'Edit' })).toBe(false);
  });
});
