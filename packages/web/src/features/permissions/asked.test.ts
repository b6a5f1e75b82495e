import { describe, expect, it } from 'vitest';
import type { PermissionRequest } from '@liminal/contracts';
import { permissionRequest as request } from './testing/permission-request.ts';
import { askedOf as takeApart } from './asked.ts';
import { isToolSaid } from './request-title.ts';

const askedOf = (asked: PermissionRequest) => takeApart(asked, isToolSaid(asked));
const names = (fields: Partial<PermissionRequest>): string[] => askedOf(request(fields)).values.map(({ name }) => name);

describe('PM-1: the contents of a request', () => {
  const diffs = [{ path: '/p/a.ts', oldText: 'one', newText: 'two' }];

  it('include every argument besides a change: another path, a flag', () => {
    const toolArguments = { replace_all: true, file_path: '/p/a.ts', target: '/etc/passwd', old_string: 'one' };
    expect(askedOf(request({ diffs, toolArguments })).values).toEqual([
      { name: 'old_string', text: 'one', isCollapsed: true },
      { name: 'replace_all', text: 'true', isCollapsed: false },
      { name: 'target', text: '/etc/passwd', isCollapsed: false },
    ]);
    expect(names({ diffs, toolArguments: { file_path: '/p/b.ts' } })).toEqual(['file_path']);
  });

  it('are in the same order, whatever order the agent chose', () => {
    const toolArguments = { zebra: 1, cwd: '/', apple: 2, url: 'x' };
    const turned = Object.fromEntries(Object.entries(toolArguments).toReversed());
    expect(names({ toolArguments })).toEqual(['cwd', 'url', 'apple', 'zebra']);
    expect(names({ toolArguments: turned })).toEqual(['cwd', 'url', 'apple', 'zebra']);
  });

  it('collapse long values and drop none', () => {
    const long = 'x'.repeat(10_000);
    const [value] = askedOf(request({ toolArguments: { body: long } })).values;
    expect(value).toEqual({ name: 'body', text: long, isCollapsed: true });
  });

  it('quote the arguments of a command, and show an invalid command as a value', () => {
    const words = ['sh', '-c', "rm 'a b'"];
    expect(askedOf(request({ toolArguments: { command: words } })).command).toBe(String.raw`sh -c 'rm '\''a b'\'''`);
    expect(names({ toolArguments: { command: { run: 'rm' } } })).toEqual(['command']);
  });

  it('name the tool if the title doesn’t', () => {
    expect(askedOf(request({ title: 'Tidy up', toolName: 'github delete_repository' })).values).toEqual([
      { name: 'tool', text: 'github delete_repository', isCollapsed: false },
    ]);
    expect(names({ title: 'Tidy up', toolName: 'mine', toolArguments: { tool: 'x' } })).toEqual(['tool', 'tool']);
    expect(names({ title: 'Edit: /p/a.ts', toolName: 'Edit' })).toEqual([]);
    const command = request({ title: 'Bash: ls', toolName: 'Bash', toolArguments: { command: 'ls' } });
    expect(askedOf(command).values).toEqual([]);
  });

  it('keep the agent’s own title if it says more than the command or the path', () => {
    const toolArguments = { command: 'ls' };
    expect(askedOf(request({ title: 'Bash: ls', toolArguments })).says).toEqual([]);
    expect(askedOf(request({ title: 'Look around', toolArguments })).says).toEqual(['Look around']);
    expect(askedOf(request({ title: 'Edit a.ts', diffs })).says).toEqual([]);
  });

  it('show each thing once', () => {
    const command = request({
      title: 'List files',
      description: 'List files',
      toolArguments: { command: 'ls', description: 'List files' },
    });
    expect(askedOf(command)).toMatchObject({ command: 'ls', says: ['List files'], values: [] });
    const plan = request({ kind: 'plan', description: '# Plan', toolArguments: { plan: '# Plan' } });
    expect(askedOf(plan)).toMatchObject({ plan: '# Plan', says: [], values: [] });
  });
});
