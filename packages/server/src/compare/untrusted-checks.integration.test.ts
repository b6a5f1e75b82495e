import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { startWorktreeServer, type WorktreeServer } from '../worktrees/testing/worktree-server.ts';
import { both, compareCalls, patience } from './testing/compare-calls.ts';

let all: WorktreeServer;
beforeEach(async () => {
  all = await startWorktreeServer({ others: [createScriptedProvider('other', {}, 'other')] });
});
afterEach(() => all.close());
const { compare, read, act, started, folderOf } = compareCalls(() => all);

const revocations = [
  [
    'revokes the trust',
    async () => all.server.call('POST', `/api/projects/${all.projectId}/trust`, { trusted: false }),
  ],
  ['removes the project', async () => all.server.call('DELETE', `/api/projects/${all.projectId}`)],
] as const;

it.each(revocations)(
  'CM-2: runs no check if the user %s while a candidate works, and the check says why',
  async (_, revoke) => {
    await all.settings({ checkCommand: 'touch checked' });
    const { compareId } = (await compare(both)).body;
    const [first] = (await started(compareId)).candidates;
    const folder = await folderOf(first!);
    const { sessionId = '', candidateId } = first!;
    await vi.waitUntil(() => all.server.provider.sent.some((each) => each.sessionId === sessionId), patience);
    all.server.provider.start(sessionId);
    await revoke();
    all.server.provider.end(sessionId);
    const ended = async () => {
      const { check } = (await read(compareId)).candidates[0]!;
      return check?.state !== 'running' && check;
    };
    const refused = { state: 'failed', exitCode: null, output: expect.stringMatching(/^Commands run only|^No such/) };
    expect(await vi.waitUntil(ended, patience)).toMatchObject(refused);
    await act(compareId, 'check', { candidateId });
    expect(await vi.waitUntil(ended, patience)).toMatchObject(refused);
    expect(existsSync(join(folder, 'checked'))).toBe(false);
  },
);

/** Runs until somebody stops it. Its process id is in a file of the worktree. */
const endless = 'echo $$ > pid; exec sleep 3600';
const pidIn = (folder: string): Promise<number> =>
  vi.waitUntil(() => existsSync(join(folder, 'pid')) && Number(readFileSync(join(folder, 'pid'), 'utf8')), patience);
const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

it.each(revocations)('CM-2: ends a running check if the user %s, and the check says why', async (_, revoke) => {
  await all.settings({ checkCommand: endless });
  const { compareId } = (await compare(both)).body;
  const [first] = (await started(compareId)).candidates;
  await act(compareId, 'check', { candidateId: first!.candidateId });
  const pid = await pidIn(await folderOf(first!));
  await revoke();
  await vi.waitUntil(() => hasEnded(pid), patience);
  const why = expect.stringContaining('this project is no longer trusted');
  await vi.waitUntil(async () => (await read(compareId)).candidates[0]?.check?.state === 'failed', patience);
  expect((await read(compareId)).candidates[0]?.check).toMatchObject({ exitCode: null, output: why });
});

it.each(revocations)(
  'WT-2: ends a running setup command if the user %s, and the worktree says why',
  async (_, revoke) => {
    await all.settings({ setupCommand: endless });
    const making = all.make({ branch: 'work' });
    const { folder } = await vi.waitUntil(
      async () => (await all.list()).find(({ state }) => state === 'setup'),
      patience,
    );
    const pid = await pidIn(folder);
    await revoke();
    await vi.waitUntil(() => hasEnded(pid), patience);
    expect(await making).toMatchObject({
      state: 'failed',
      error: 'The setup command was stopped, because this project is no longer trusted.',
    });
  },
);
