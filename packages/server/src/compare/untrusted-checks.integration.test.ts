import { existsSync } from 'node:fs';
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

it.each([
  [
    'revokes the trust',
    async () => all.server.call('POST', `/api/projects/${all.projectId}/trust`, { trusted: false }),
  ],
  ['removes the project', async () => all.server.call('DELETE', `/api/projects/${all.projectId}`)],
])('CM-2: runs no check if the user %s while a candidate works, and the check says why', async (_, revoke) => {
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
});
