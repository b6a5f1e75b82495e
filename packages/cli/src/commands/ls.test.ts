import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Invocation } from '../base/command.ts';
import { createTerminal } from '../base/terminal.ts';
import { run } from './ls.ts';

let outer: string;
beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-ls-')));
});
afterEach(() => rmSync(outer, { recursive: true }));

const session = { sessionId: 's\u001b[2J', attention: 'idle', cliType: 'demo', title: 'One', archived: false };

async function list(project: string): Promise<{ out: string; errors: string }> {
  const [out, errors] = [[] as string[], [] as string[]];
  const client = {
    project: { list: async () => ({ ok: true, value: { projects: [{ projectId: 'p', dir: outer }] } }) },
    session: { list: async () => ({ ok: true, value: { sessions: [session] } }) },
  };
  const invocation = {
    terminal: createTerminal({ write: (text) => out.push(text) }, { write: (text) => errors.push(text) }, {}, false),
    lightClient: async () => client,
    flag: (name: string) => (name === 'project' ? project : undefined),
    has: () => false,
    cwd: outer,
  };
  await run(invocation as unknown as Invocation);
  return { out: out.join(''), errors: errors.join('') };
}

describe('liminal ls --project', () => {
  it('CL-1: finds a project through a link, and prints ids that can’t control the terminal', async () => {
    symlinkSync(outer, join(outer, 'link'));
    expect((await list('link')).out).toBe('s␛[2J\tidle\tdemo\tOne\n');
  });

  it('CL-1: says that a folder isn’t a project', async () => {
    expect(await list('elsewhere')).toEqual({
      out: '',
      errors: expect.stringContaining(`${join(outer, 'elsewhere')} isn't a project.`),
    });
  });
});
