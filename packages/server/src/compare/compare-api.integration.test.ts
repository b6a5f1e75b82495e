import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate, Comparison } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { demoAgent } from '../providers/acp/catalogue/built-in-agents.ts';
import { startProviderUnderTest } from '../providers/acp/testing/provider-under-test.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { createScriptedProvider, type ScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { CompareWrite } from '../store/compare-rows.ts';
import type { TestServerOptions } from '../testing/test-server.ts';
import { startWorktreeServer, type WorktreeServer } from '../worktrees/testing/worktree-server.ts';
import { both, compareCalls, image, patience } from './testing/compare-calls.ts';

/** An agent that fails to start while `broken` is set. */
const state = { broken: false };
let other: ScriptedProvider;
let all: WorktreeServer;
const open = (options: Parameters<typeof startWorktreeServer>[0] = {}): Promise<WorktreeServer> => {
  other = createScriptedProvider('other', {}, `other${Math.random()}`);
  const { createSession } = other;
  other.createSession = async (given) => {
    if (state.broken) throw new ProviderError('AGENT_AUTH_REQUIRED', "Other isn't signed in.");
    return createSession(given);
  };
  return startWorktreeServer({ others: [other], limits: { keepUndoMs: 50 }, ...options });
};
beforeEach(async () => {
  state.broken = false;
  all = await open();
});
afterEach(() => all.close());

const { compare, read, act, started, folderOf } = compareCalls(() => all);

/** Lets a candidate's agent write files and end its turn. */
async function work(provider: ScriptedProvider, candidate: Candidate, files: Record<string, string>): Promise<void> {
  const { sessionId = '' } = candidate;
  await vi.waitUntil(() => provider.sent.some((each) => each.sessionId === sessionId), patience);
  const folder = await folderOf(candidate);
  provider.start(sessionId);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  provider.end(sessionId, { usage: { inputTokens: 100, outputTokens: 20 }, costUsd: 0.5, durationMs: 1500 });
}
async function twoDone(): Promise<Comparison> {
  const { compareId } = (await compare(both)).body;
  const [first, second] = (await started(compareId)).candidates;
  await work(all.server.provider, first!, { 'a.txt': 'one\ntwo\nthree\n', 'new.txt': 'n\n' });
  await work(other, second!, { 'a.txt': 'one\n' });
  return vi.waitUntil(async () => {
    const found = await read(compareId);
    return found.candidates.every(({ state: at }) => at === 'done') && found;
  }, patience);
}

describe('a comparison', () => {
  it('CM-1: sends one message to several agents, each in a worktree from the same commit', async () => {
    const demo = startProviderUnderTest(demoAgent(), { LIMINAL_DEMO_SPEED: '50' });
    await all.close();
    all = await open({ others: [demo.provider] });
    try {
      const base = all.repository.git('rev-parse', 'HEAD').trim();
      const made = await compare([{ cliType: 'demo' }, { cliType: 'scripted', modelId: 'large' }]);
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ base: 'main', baseCommit: base });
      all.repository.put('a.txt', 'later\n');
      all.repository.commit();
      const { candidates } = await started(made.body.compareId);
      const [first, second] = candidates;
      for (const candidate of candidates)
        expect(all.repository.git('-C', await folderOf(candidate), 'rev-parse', 'HEAD').trim()).toBe(base);
      expect(first?.worktreeId).not.toBe(second?.worktreeId);
      expect(all.server.provider.created).toMatchObject([{ providerOptions: { modelId: 'large' } }]);
      await vi.waitUntil(() => all.server.provider.sent.length === 1, patience);
      expect(all.server.provider.sent[0]?.message).toBe('Add a greeting');
      await vi.waitUntil(async () => (await read(made.body.compareId)).candidates[0]?.state === 'done', patience);
      const listed = await all.server.call<{ compares: unknown[] }>('GET', `/api/compare?projectId=${all.projectId}`);
      expect(listed.body.compares).toMatchObject([{ compareId: made.body.compareId, content: 'Add a greeting' }]);
    } finally {
      await demo.cleanup();
    }
  });

  it('CM-2: shows each candidate’s state, changes, time, tokens, cost and check, and the files side by side', async () => {
    await all.settings({ checkCommand: 'test -e new.txt && echo fine' });
    const { compareId } = await twoDone();
    const found = await vi.waitUntil(async () => {
      const now = await read(compareId);
      return now.candidates.every(({ check }) => check && check.state !== 'running') && now;
    }, patience);
    const effort = { durationMs: 1500, costUsd: 0.5, usage: { inputTokens: 100, outputTokens: 20 } };
    expect(found.candidates).toMatchObject([
      {
        state: 'done',
        ...effort,
        changes: { files: 2, additions: 2, deletions: 0 },
        check: { state: 'passed', output: 'fine\n' },
      },
      {
        state: 'done',
        ...effort,
        changes: { files: 1, additions: 0, deletions: 1 },
        check: { state: 'failed', exitCode: 1 },
      },
    ]);
    const [one, two] = found.candidates.map(({ candidateId }) => candidateId);
    expect(found.files).toMatchObject([
      {
        path: 'a.txt',
        candidates: [
          { candidateId: one, change: 'modified' },
          { candidateId: two, deletions: 1 },
        ],
      },
      { path: 'new.txt', candidates: [{ candidateId: one, change: 'added', additions: 1 }] },
    ]);
  });

  it('CM-1: rejects an impossible request with a clear message before creating anything', async () => {
    expect((await compare([{ cliType: 'scripted' }])).status).toBe(400);
    const unknown = await compare([{ cliType: 'scripted' }, { cliType: 'nobody' }]);
    expect(unknown.body).toMatchObject({ error: { code: 'UNSUPPORTED_CLI_TYPE' } });
    const damaged = await compare(both, { images: [{ ...image, data: 'aGk=' }] });
    expect(damaged.body).toMatchObject({ error: { code: 'INVALID_REQUEST' } });
    Object.assign(other.capabilities, { images: false });
    const unseen = await compare(both, { images: [image] });
    expect(unseen.body).toMatchObject({ error: { message: "Scripted doesn't accept images." } });
    const gone = await compare(both, { base: 'gone' });
    expect(gone.body).toMatchObject({
      error: { message: 'There is no branch "gone" in this repository. Choose another base.' },
    });
    await all.server.call('POST', `/api/projects/${all.projectId}/trust`, { trusted: false });
    expect((await compare(both)).body).toMatchObject({ error: { code: 'PROJECT_NOT_TRUSTED' } });
    expect((await all.server.call('GET', '/api/compare/none')).body.error.code).toBe('COMPARE_NOT_FOUND');
    expect(all.repository.git('branch').trim()).toBe('* main');
  });
});

describe('a candidate that fails to start', () => {
  it('CM-3: doesn’t affect the others, and starts again without duplicating anything', async () => {
    state.broken = true;
    const { compareId } = (await compare(both, { images: [image] })).body;
    const { candidates } = await started(compareId);
    expect(candidates).toMatchObject([
      { state: 'working', canRetry: false },
      { state: 'failed', canRetry: true, error: "Other isn't signed in." },
    ]);
    const { candidateId = '', worktreeId } = candidates[1] ?? {};
    const early = await act(compareId, 'retry', { candidateId: candidates[0]?.candidateId ?? '' });
    expect(early.body.error.code).toBe('NOT_SUPPORTED');
    state.broken = false;
    const again = await Promise.all([1, 2].map(() => act(compareId, 'retry', { candidateId })));
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    const now = await started(compareId);
    expect(now.candidates[1]).toMatchObject({ state: 'working', worktreeId });
    await vi.waitUntil(() => other.sent.length > 0, patience);
    expect([other.sent.length, other.created.length, (await all.list()).length]).toEqual([1, 1, 2]);
    expect(other.sent[0]?.options).toMatchObject({ images: [image] });
    expect(all.server.store.compares()[0]?.message.images).toEqual([]);
  });
});

describe('keeping one candidate', () => {
  it('CM-3: parks the others, and its own branch continues', async () => {
    const { compareId, candidates } = await twoDone();
    const [first, second] = candidates;
    const folder = await folderOf(second!);
    expect((await act(compareId, 'keep', { candidateId: first!.candidateId })).status).toBe(200);
    const found = await vi.waitUntil(async () => {
      const now = await read(compareId);
      return now.kept?.parked === true && now;
    }, patience);
    expect(found.candidates).toMatchObject([
      { state: 'done', changes: { files: 2 } },
      { state: 'parked', changes: { files: 1, deletions: 1 } },
    ]);
    expect(existsSync(folder)).toBe(false);
    expect((await all.read(first!.worktreeId!)).state).toBe('ready');
    expect((await act(compareId, 'keep/undo')).body.error.code).toBe('STALE');
    expect((await all.server.call('POST', `/api/worktrees/${second!.worktreeId!}/restore`)).status).toBe(200);
    expect(all.repository.git('-C', folder, 'status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('CM-3: parks a candidate that is still working, and its check doesn’t bring it back', async () => {
    await all.settings({ checkCommand: 'touch checked' });
    const { compareId } = (await compare(both)).body;
    const [first, second] = (await started(compareId)).candidates;
    await work(all.server.provider, first!, { 'a.txt': 'one\n' });
    const { sessionId = '', worktreeId = '' } = second!;
    await vi.waitUntil(() => other.sent.length > 0, patience);
    other.start(sessionId);
    await act(compareId, 'keep', { candidateId: first!.candidateId });
    await vi.waitUntil(async () => (await read(compareId)).kept?.parked === true, patience);
    const { store } = all.server;
    // Closing waits for every check.
    await all.close();
    all = await open();
    expect(store.worktrees().find((each) => each.worktreeId === worktreeId)?.state).toBe('parked');
    expect(store.compares()[0]?.candidates[1]).toMatchObject({ parked: true, check: null });
  });

  it('CM-3 WT-3: merges it into the base if asked to, and can undo both until the others are parked', async () => {
    await all.close();
    all = await open({ limits: { keepUndoMs: 3_600_000 } });
    const { compareId, candidates, baseCommit } = await twoDone();
    const [first, second] = candidates;
    all.repository.put('src/b.txt', 'mine\n');
    all.repository.git('add', 'src/b.txt');
    const body = { candidateId: first!.candidateId, merge: 'squash' };
    const kept = await act(compareId, 'keep', body);
    expect(kept.body).toMatchObject({ kept: { candidateId: first!.candidateId, parked: false } });
    expect(all.repository.read('new.txt')).toBe('n\n');
    expect(all.repository.git('log', '-1', '--format=%s')).toContain('Squash branch');
    expect((await act(compareId, 'keep', { candidateId: second!.candidateId })).body.error.code).toBe('STALE');
    expect((await act(compareId, 'keep/undo')).status).toBe(200);
    expect(all.repository.git('rev-parse', 'main').trim()).toBe(baseCommit);
    expect(all.repository.git('status', '--porcelain')).toBe('M  src/b.txt\n');
    expect(existsSync(join(all.repository.dir, 'new.txt'))).toBe(false);
    expect((await read(compareId)).kept).toBeUndefined();
    expect((await act(compareId, 'keep/undo')).body.error.code).toBe('NOT_SUPPORTED');
  });

  it('CM-3: doesn’t park a candidate with ignored files that would be lost, and keeping can still be undone', async () => {
    const { compareId, candidates } = await twoDone();
    const folder = await folderOf(candidates[1]!);
    writeFileSync(join(folder, '.env'), Buffer.alloc(11 * 1024 * 1024));
    await act(compareId, 'keep', { candidateId: candidates[0]!.candidateId });
    const error = await vi.waitUntil(async () => (await read(compareId)).kept?.error, patience);
    expect(error).toContain('Not parked: ');
    expect(existsSync(join(folder, '.env'))).toBe(true);
    expect((await act(compareId, 'keep/undo')).status).toBe(200);
  });
});

it('CM-3: survives a restart: a starting candidate can be retried, and keeping one still parks the others', async () => {
  const store = createMemoryStore();
  const worktreeFolder = `${all.repository.dir}-shared`;
  const { repository } = all;
  const options: TestServerOptions & { repository: typeof repository } = { store, repository, worktreeFolder };
  const served = await open({ ...options, limits: { keepUndoMs: 3_600_000 } });
  const before = all;
  all = served;
  try {
    const { compareId, candidates } = await twoDone();
    const [first, second] = candidates;
    await act(compareId, 'keep', { candidateId: first!.candidateId });
    const [row] = store.compares();
    const half = { ...row!, compareId: 'half', kept: null };
    const left = { ...half.candidates[1]!, candidateId: 'left', state: 'starting', worktreeId: null } as const;
    await store.write([
      { type: 'put-compare', row: { ...half, candidates: [half.candidates[0]!, { ...left, sessionId: null }] } },
    ]);
    // Killed during the merge: before the new base commit was recorded, and after.
    const { baseCommit: from } = row!;
    const to = repository.git('commit-tree', `${from}^{tree}`, '-p', from, '-m', 'merged').trim();
    const merging = (compareId: string, to: string | null): CompareWrite => {
      const merge = { how: 'merge', from, to } as const;
      const kept = { candidateId: 'left', at: row!.createdAt, step: 'merging', merge, error: null } as const;
      return { type: 'put-compare', row: { ...half, compareId, kept, candidates: [] } };
    };
    await store.write([merging('cut', null), merging('known', to)]);
    // An earlier version kept the images of comparisons that had started.
    const message = { ...half.message, images: [image] };
    await store.write([{ type: 'put-compare', row: { ...half, compareId: 'old', message } }]);
    await served.close();
    all = await open(options);
    expect((await read('cut')).kept).toBeUndefined();
    expect(store.compares().find((each) => each.compareId === 'old')?.message.images).toEqual([]);
    expect((await read('known')).kept).toMatchObject({ candidateId: 'left' });
    expect(repository.git('rev-parse', 'main').trim()).toBe(to);
    await act('known', 'keep/undo');
    expect((await read('known')).kept).toBeUndefined();
    expect(repository.git('rev-parse', 'main').trim()).toBe(from);
    expect((await read('half')).candidates[1]).toMatchObject({ state: 'failed', canRetry: true });
    await act('half', 'retry', { candidateId: 'left' });
    expect((await started('half')).candidates[1]?.state).toBe('working');
    await expect.poll(async () => (await read(compareId)).kept, patience).toMatchObject({ parked: true });
    expect((await all.read(second!.worktreeId!)).state).toBe('parked');
  } finally {
    await all.close();
    all = before;
    rmSync(worktreeFolder, { recursive: true, force: true });
  }
});
