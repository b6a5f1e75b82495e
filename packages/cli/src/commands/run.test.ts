import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Invocation } from '../base/command.ts';
import { createTerminal } from '../base/terminal.ts';
import { run } from './run.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const unreachable = { ok: false, failure: { code: 'UNREACHABLE', message: 'The server isn’t responding.' } };
const created = { ok: true, value: { sessionId: 's', turnId: 't', cliType: 'demo', projectId: 'p' } };

/** Runs the command against a server whose first reply fails after this time. */
async function runAfter(milliseconds: number) {
  const [out, bodies] = [[] as string[], [] as object[]];
  const create = async (body: object) => {
    bodies.push(body);
    if (bodies.length > 1) return created;
    vi.advanceTimersByTime(milliseconds);
    return unreachable;
  };
  const invocation = {
    terminal: createTerminal({ write: (text) => out.push(text) }, { write: () => {} }, {}, false),
    args: ['Hello'],
    flag: () => undefined,
    has: (name: string) => name === 'worktree',
    env: {},
    cwd: '/',
    client: async () => ({ session: { create } }),
  };
  const code = await run(invocation as unknown as Invocation);
  return { code, out: out.join(''), bodies };
}

describe('liminal run', () => {
  it('CL-1: asks again with the same ids if setting up a worktree takes longer than Node waits for a reply', async () => {
    const { code, out, bodies } = await runAfter(300_000);
    expect([code, out]).toEqual([0, 's\n']);
    expect(bodies[1]).toEqual(bodies[0]);
  });

  it('CL-1: doesn’t ask a server again that can’t be reached', async () => {
    expect(await runAfter(100)).toMatchObject({ code: 1, out: '', bodies: { length: 1 } });
  });
});
