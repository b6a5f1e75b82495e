import { execFileSync } from 'node:child_process';
import type { ChangedFileReply, ChangesReply, CheckpointsReply, Project, TurnRecord } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../../git/run-git.ts';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let repository: TestRepository;
let server: TestServer;

beforeEach(async () => {
  repository = createTestRepository();
  repository.put('a.txt', 'one\ntwo\n');
  repository.put('b.txt', 'b\n');
  repository.put('.gitignore', 'ignored/\n');
  repository.commit();
  server = await startTestServer({ folder: repository.dir });
  const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
  await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

const changes = async (sessionId: string, query: string) =>
  (await server.call<ChangesReply>('GET', `/api/session/${sessionId}/changes?${query}`)).body;
const paths = async (sessionId: string, query: string) =>
  (await changes(sessionId, query)).files.map(({ path, bySession }) => [path, bySession]);
const turnsOf = async (sessionId: string) =>
  (await server.call<{ turns: TurnRecord[] }>('GET', `/api/session/${sessionId}/history`)).body.turns;

/** Sends a message and waits until the agent has it. */
async function send(sessionId: string): Promise<string> {
  const before = server.provider.sent.length;
  const { body } = await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: 'go' });
  await expect.poll(() => server.provider.sent.length).toBe(before + 1);
  server.provider.start(sessionId, body.turnId);
  return body.turnId;
}
/** Ends the turn and waits until the folder has been recorded again. */
async function end(sessionId: string, turnId: string): Promise<TurnRecord | undefined> {
  server.provider.end(sessionId);
  await expect.poll(() => server.store.checkpoint(sessionId, turnId)?.after ?? null).not.toBeNull();
  await expect.poll(async () => (await turnsOf(sessionId)).at(-1)?.ended?.changes).toBeDefined();
  return (await turnsOf(sessionId)).find((turn) => turn.turnId === turnId);
}

describe('checkpoints', () => {
  it('CP-1 RV-1 RV-9: a turn shows everything that changed while it ran, by any means, and nothing from before', async () => {
    repository.put('b.txt', 'changed before\n');
    const sessionId = await server.newSession();
    const turnId = await send(sessionId);
    repository.put('a.txt', 'one\n2\n');
    repository.put('new.txt', 'x\n');
    repository.put('ignored/x.txt', 'x\n');
    expect(await changes(sessionId, 'scope=turn')).toMatchObject({ checkpoint: 'running', turnId, total: 2 });
    const record = await end(sessionId, turnId);
    expect(record?.ended?.changes).toEqual({ files: 2, additions: 2, deletions: 1 });
    repository.put('a.txt', 'one\nlater\n');
    expect(await changes(sessionId, `scope=turn&turnId=${turnId}`)).toMatchObject({
      source: 'git',
      checkpoint: 'kept',
    });
    expect(await paths(sessionId, 'scope=turn')).toEqual([
      ['a.txt', true],
      ['new.txt', true],
    ]);
    expect(await paths(sessionId, 'scope=uncommitted')).toEqual([
      ['a.txt', true],
      ['b.txt', false],
      ['new.txt', true],
    ]);
    const url = `/api/session/${sessionId}/changes/file?scope=turn&path=a.txt`;
    expect((await server.call<ChangedFileReply>('GET', url)).body.patch).toContain('-two\n+2\n');
  });

  it('CP-1 RV-1: a turn has its changes as soon as it ends, while its folder is still being recorded', async () => {
    const sessionId = await server.newSession();
    expect(await changes(sessionId, 'scope=turn')).toMatchObject({
      notice: { message: 'This session has no turn yet. Send a message first.' },
    });
    const turnId = await send(sessionId);
    repository.put('a.txt', 'one\n2\n');
    server.provider.end(sessionId);
    await expect.poll(async () => (await turnsOf(sessionId)).at(-1)?.ended).toBeDefined();
    expect(await changes(sessionId, 'scope=turn')).toMatchObject({
      source: 'git',
      checkpoint: 'kept',
      turnId,
      total: 1,
    });
    expect(await changes(sessionId, 'scope=session')).toMatchObject({ source: 'git', notices: [], total: 1 });
  });

  it('CP-1 RV-1: a session is the union of its turns, without changes by others between them', async () => {
    const sessionId = await server.newSession();
    const first = await send(sessionId);
    repository.put('a.txt', 'one\n2\n');
    await end(sessionId, first);
    repository.put('b.txt', 'by the person\n');
    const second = await send(sessionId);
    repository.put('a.txt', 'one\n2\nthree\n');
    repository.put('new.txt', 'x\n');
    expect((await paths(sessionId, 'scope=session')).map(([path]) => path)).toEqual(['a.txt', 'new.txt']);
    await end(sessionId, second);
    const { files } = await changes(sessionId, 'scope=session');
    expect(files.map(({ path, additions, deletions }) => [path, additions, deletions])).toEqual([
      ['a.txt', 2, 1],
      ['new.txt', 1, 0],
    ]);
    expect((await paths(sessionId, `scope=turn&turnId=${first}`)).map(([path]) => path)).toEqual(['a.txt']);
    const url = `/api/session/${sessionId}/changes/file?scope=session&path=a.txt`;
    expect((await server.call<ChangedFileReply>('GET', url)).body.patch).toContain('-two\n+2\n+three\n');
  });

  it('CP-1: the scopes stay right when the agent commits or switches branches mid-turn', async () => {
    const sessionId = await server.newSession();
    const turnId = await send(sessionId);
    repository.put('a.txt', 'one\n2\n');
    repository.commit('by the agent');
    repository.git('switch', '--quiet', '--create', 'topic');
    repository.put('new.txt', 'x\n');
    await end(sessionId, turnId);
    expect((await paths(sessionId, 'scope=turn')).map(([path]) => path)).toEqual(['a.txt', 'new.txt']);
    expect((await paths(sessionId, 'scope=uncommitted')).map(([path]) => path)).toEqual(['new.txt']);
    const row = server.store.checkpoint(sessionId, turnId);
    expect([row?.before?.branch, row?.after?.branch]).toEqual(['main', 'topic']);
    expect(row?.before?.head).not.toBe(row?.after?.head);
  });

  it('CP-1: leaves index, branches and reflog alone, and survives git gc', async () => {
    const look = () => [
      repository.git('ls-files', '--stage'),
      repository.git('log', '--all', '--format=%H'),
      repository.git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'),
    ];
    const before = look();
    const sessionId = await server.newSession();
    const turnId = await send(sessionId);
    repository.put('new.txt', 'only in the tree\n');
    await end(sessionId, turnId);
    expect(look()).toEqual(before);
    repository.git('gc', '--quiet', '--prune=now');
    repository.remove('new.txt');
    const url = `/api/session/${sessionId}/changes/file?scope=turn&path=new.txt`;
    expect((await server.call<ChangedFileReply>('GET', url)).body.patch).toContain('+only in the tree');
  });

  it('CP-1 RV-1: distinguishes two sessions in one folder by the files their edit calls named', async () => {
    const [one, two] = [await server.newSession(), await server.newSession()];
    const [first, second] = [await send(one), await send(two)];
    const edit = (sessionId: string, turnId: string, path: string) => {
      repository.put(path, 'edited\n');
      server.provider.upsert(sessionId, {
        type: 'tool_call',
        sessionId,
        turnId,
        itemId: `${turnId}:1:0`,
        sourceTimestamp: '2026-01-01T00:00:00.000Z',
        emittedAt: '2026-01-01T00:00:00.000Z',
        status: 'complete',
        toolName: 'Edit',
        toolArguments: {},
        toolKind: 'edit',
        callId: `${turnId}-call`,
        locations: [{ path: `${repository.dir}/${path}` }],
      });
    };
    edit(one, first, 'a.txt');
    edit(two, second, 'b.txt');
    await expect
      .poll(async () => (await paths(two, 'scope=uncommitted')).find(([path]) => path === 'b.txt')?.[1])
      .toBe(true);
    await end(one, first);
    await end(two, second);
    expect(await paths(one, 'scope=uncommitted')).toEqual([
      ['a.txt', true],
      ['b.txt', false],
    ]);
    expect(await paths(two, 'scope=uncommitted')).toEqual([
      ['a.txt', false],
      ['b.txt', true],
    ]);
  });

  it('CP-1: an agent that commits while changes are read and recorded never hits one of our locks', async () => {
    const sessionId = await server.newSession();
    const turnId = await send(sessionId);
    let reading = true;
    const reads = (async () => {
      while (reading) await changes(sessionId, 'scope=uncommitted');
    })();
    for (let round = 0; round < 10; round += 1) {
      repository.put('a.txt', `round ${round}\n`);
      repository.commit(`round ${round}`);
      await changes(sessionId, 'scope=turn');
    }
    reading = false;
    await reads;
    await end(sessionId, turnId);
    expect(repository.git('rev-list', '--count', 'HEAD').trim()).toBe('11');
    expect(
      execFileSync('git', ['fsck', '--no-progress'], { cwd: repository.dir, stdio: 'pipe' }).toString(),
    ).not.toMatch(/missing|corrupt/);
  });

  it('G-1: nothing is recorded in an untrusted folder, and messages are still sent', async () => {
    const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
    await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: false });
    const sessionId = await server.newSession();
    expect((await server.call('POST', `/api/session/${sessionId}/prepare`)).status).toBe(204);
    const turnId = await send(sessionId);
    server.provider.end(sessionId);
    await expect.poll(async () => (await turnsOf(sessionId)).at(-1)?.state).toBe('completed');
    expect(server.store.checkpoint(sessionId, turnId)).toBeUndefined();
    expect(await changes(sessionId, 'scope=turn')).toMatchObject({ source: 'calls', checkpoint: 'none' });
    expect(repository.git('for-each-ref', 'refs/liminal')).toBe('');
  });

  it('CP-7: a pruned checkpoint says so, its refs are gone, and our other refs stay', async () => {
    const sessionId = await server.newSession();
    const first = await send(sessionId);
    repository.put('a.txt', 'x'.repeat(2 * 1024 * 1024));
    await end(sessionId, first);
    const second = await send(sessionId);
    repository.put('a.txt', 'small\n');
    await end(sessionId, second);
    repository.git('update-ref', 'refs/liminal/park/mine', 'HEAD');
    const sizes = async () => (await server.call<CheckpointsReply>('GET', '/api/checkpoints')).body.repositories;
    expect(await sizes()).toMatchObject([{ folder: repository.dir, checkpoints: 2 }]);
    expect((await sizes())[0]?.bytes).toBeGreaterThan(2 * 1024 * 1024);
    expect(await server.served.pruneCheckpoints()).toBe(0);
    await server.call('PUT', '/api/preferences', { checkpoints: { days: 30, megabytes: 1, folderMegabytes: 0 } });
    expect(await server.served.pruneCheckpoints()).toBe(1);
    expect(await changes(sessionId, `scope=turn&turnId=${first}`)).toMatchObject({ checkpoint: 'pruned' });
    expect(await changes(sessionId, `scope=turn&turnId=${second}`)).toMatchObject({ checkpoint: 'kept', total: 1 });
    expect((await sizes())[0]?.checkpoints).toBe(1);
    const refs = () => repository.git('for-each-ref', '--format=%(refname)', 'refs/liminal').trim().split('\n');
    expect(refs().filter((ref) => ref.startsWith('refs/liminal/turn/'))).toHaveLength(2);
    await server.call('DELETE', `/api/session/${sessionId}`);
    await expect.poll(refs).toEqual(['refs/liminal/park/mine']);
  });

  it('CP-7: a session that is deleted in the middle of a turn leaves no refs', async () => {
    const real = createGitRunner();
    let kept = 0;
    const runner: GitRunner = async (run) => {
      const ran = await real(run);
      if (run.args[0] === 'update-ref' && String(run.input).startsWith('update refs/liminal/turn/')) kept += 1;
      return ran;
    };
    await server.close();
    server = await startTestServer({ folder: repository.dir, git: createGit({ runner }) });
    const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
    await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
    const sessionId = await server.newSession();
    const turnId = await send(sessionId);
    await expect.poll(() => server.store.checkpoint(sessionId, turnId) ?? null).not.toBeNull();
    repository.put('a.txt', 'changed\n');
    expect((await server.call('DELETE', `/api/session/${sessionId}`)).status).toBe(204);
    await expect.poll(() => kept).toBe(2);
    expect(repository.git('for-each-ref', 'refs/liminal')).toBe('');
  });
});
