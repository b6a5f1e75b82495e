import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScriptedProvider, type ScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { startWorktreeServer, type WorktreeServer } from '../worktrees/testing/worktree-server.ts';
import { both, compareCalls, patience } from './testing/compare-calls.ts';

let other: ScriptedProvider;
let all: WorktreeServer;
beforeEach(async () => {
  other = createScriptedProvider('other');
  all = await startWorktreeServer({ others: [other], limits: { keepUndoMs: 1 } });
});
afterEach(() => all.close());
const { compare, read, act } = compareCalls(() => all);

it('CM-3: never starts the agent of a candidate that is being set up when another is kept, and then parks it', async () => {
  const goOn = join(all.repository.dir, '.env');
  const wait = `while ! test -e "${goOn}"; do sleep 0.05; done`;
  await all.settings({ setupCommand: `case $LIMINAL_BRANCH in liminal/other-*) ${wait};; esac` });
  const { compareId } = (await compare(both)).body;
  const [first, second] = await vi.waitUntil(async () => {
    const { candidates } = await read(compareId);
    const tree = candidates[1]?.worktreeId;
    const isSettingUp = tree !== undefined && (await all.read(tree)).state === 'setup';
    return candidates[0]?.state === 'working' && isSettingUp && candidates;
  }, patience);
  await act(compareId, 'keep', { candidateId: first!.candidateId });
  writeFileSync(goOn, '');
  await vi.waitUntil(async () => (await read(compareId)).kept?.parked === true, patience);
  expect((await read(compareId)).candidates[1]).toMatchObject({ state: 'parked', canRetry: false });
  expect((await all.read(second!.worktreeId!)).state).toBe('parked');
  expect([other.created, other.sent]).toEqual([[], []]);
  const retried = await act(compareId, 'retry', { candidateId: second!.candidateId });
  expect(retried.body.error.code).toBe('STALE');
});
