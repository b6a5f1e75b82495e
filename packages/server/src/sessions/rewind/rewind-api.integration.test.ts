import { chmodSync, existsSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../../git/run-git.ts';
import type { TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { forkingProvider } from './testing/forking-provider.ts';
import { createSampleRepository, openRewindSession, patience, type RewindSession } from './testing/rewind-session.ts';

let repository: TestRepository;
let server: TestServer;
let session: RewindSession;
let agent: ReturnType<typeof forkingProvider>;

beforeEach(async () => {
  repository = createSampleRepository();
  agent = forkingProvider();
  server = await startTestServer({ folder: repository.dir, provider: agent.provider });
  session = await openRewindSession(server);
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

/** Makes a file that is younger than the record of its turn: the clock of a file system may be a few ms behind. */
function makeNow(path: string, text: string): void {
  const begun = Date.now();
  do {
    repository.remove(path);
    repository.put(path, text);
  } while (lstatSync(join(repository.dir, path)).birthtimeMs <= begun);
}

describe('rewinding a session', () => {
  it("CP-3 CP-4: reverts its turns' changes, keeps and merges those of others, and can be undone byte for byte", async () => {
    const { sessionId, turn, plan, rewind, undo, turnIds } = session;
    const first = await turn(() => repository.put('b.txt', 'b by the agent\n'));
    const second = await turn(() => {
      repository.put('a.txt', 'ONE\ntwo\nthree\nfour\nfive\n');
      repository.put('made/new.txt', 'new\n');
      repository.remove('run.sh');
    });
    const third = await turn(() => repository.put('mixed.txt', 'agent\r\nagent\n'));
    // The user's later edit.
    repository.put('a.txt', 'ONE\ntwo\nthree\nfour\nFIVE\n');
    repository.put('mine.txt', 'mine\n');
    chmodSync(join(repository.dir, 'made/new.txt'), 0o600);
    const { body } = await plan(second);
    expect(body).toMatchObject({
      turns: 2,
      merge: ['a.txt'],
      foreign: [],
      restore: expect.arrayContaining([
        { path: 'made/new.txt', change: 'deleted', selected: true },
        { path: 'mixed.txt', change: 'deleted', selected: true },
        { path: 'run.sh', change: 'added', selected: true },
      ]) as unknown,
      // The lines the rewind would add and remove, as a review would show them.
      counts: {
        'a.txt': { added: 1, removed: 1 },
        'made/new.txt': { added: 0, removed: 1 },
        'mixed.txt': { added: 0, removed: 2 },
        'run.sh': { added: 1, removed: 0 },
      },
      keeps: first,
    });
    const done = await rewind(second);
    expect(done).toMatchObject({ status: 200, body: { left: [] } });
    expect(repository.read('a.txt')).toBe('one\ntwo\nthree\nfour\nFIVE\n');
    expect([repository.read('b.txt'), repository.read('mine.txt')]).toEqual(['b by the agent\n', 'mine\n']);
    expect(existsSync(join(repository.dir, 'made'))).toBe(false);
    expect(lstatSync(join(repository.dir, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(await turnIds()).toEqual([first]);
    expect(agent.bound.get(sessionId)).toEqual([`copy-1-of-${sessionId}-at-${first}`]);
    expect(repository.git('status', '--porcelain', '--', 'a.txt')).toBe(' M a.txt\n');

    expect(await undo(done.body.rewindId)).toMatchObject({ status: 200, body: { left: [] } });
    expect(repository.read('a.txt')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
    expect(repository.read('mixed.txt')).toBe('agent\r\nagent\n');
    expect(lstatSync(join(repository.dir, 'made/new.txt')).mode & 0o777).toBe(0o600);
    expect(existsSync(join(repository.dir, 'run.sh'))).toBe(false);
    expect(await turnIds()).toEqual([first, second, third]);
    expect(agent.bound.get(sessionId)).toEqual([sessionId]);
  });

  it('CP-3: leaves a file whose lines were changed since, unless it is requested', async () => {
    const { sessionId, turn, plan, rewind, turnIds } = session;
    const only = await turn(() => repository.put('b.txt', 'agent\n'));
    repository.put('b.txt', 'person\n');
    expect((await plan(only)).body).toMatchObject({ restore: [], foreign: [{ path: 'b.txt' }] });
    await rewind(only);
    expect(repository.read('b.txt')).toBe('person\n');
    // Nothing of the conversation is kept, so the agent starts a new session.
    expect(agent.bound.get(sessionId)).toHaveLength(1);
    expect(await turnIds()).toEqual([]);
    const next = await turn(() => repository.put('b.txt', 'agent again\n'));
    repository.put('b.txt', 'person again\n');
    await rewind(next, ['b.txt']);
    expect(repository.read('b.txt')).toBe('person\n');
  });

  it('CP-3: leaves files that were there before the turn revealed them by an ignore rule it removed', async () => {
    const { sessionId, turn, plan, rewind } = session;
    repository.put('.gitignore', '.env\n');
    repository.put('.env', 'KEY=1\n');
    const only = await turn(() => {
      repository.put('.gitignore', 'dist\n');
      makeNow('made.txt', 'new\n');
    });
    expect((await plan(only)).body).toMatchObject({
      restore: [{ path: '.gitignore' }, { path: 'made.txt', change: 'deleted' }],
      foreign: [{ path: '.env', reason: expect.stringContaining('Ignore rules changed') }],
    });
    const restored = await server.call('POST', `/api/session/${sessionId}/restore`, { turnId: only, paths: ['.env'] });
    expect([restored.body.error.code, repository.read('.env')]).toEqual(['CONFLICT', 'KEY=1\n']);
    expect((await rewind(only)).status).toBe(200);
    expect([repository.read('.env'), repository.read('.gitignore')]).toEqual(['KEY=1\n', '.env\n']);
    expect(existsSync(join(repository.dir, 'made.txt'))).toBe(false);
  });

  it('CP-3: rewinds a turn that added an ignore rule, and leaves the files it hid', async () => {
    const { turn, plan, rewind } = session;
    repository.put('notes.log', 'mine\n');
    repository.put('other.log', 'mine\n');
    const only = await turn(() => {
      makeNow('.gitignore', '*.log\n');
      repository.put('other.log', 'changed\n');
    });
    expect((await plan(only)).body).toMatchObject({
      restore: [{ path: '.gitignore', change: 'deleted' }],
      foreign: [{ path: 'other.log' }],
    });
    expect((await rewind(only, ['other.log'])).status).toBe(200);
    expect([repository.read('notes.log'), repository.read('other.log')]).toEqual(['mine\n', 'mine\n']);
    expect(existsSync(join(repository.dir, '.gitignore'))).toBe(false);
  });

  it('CP-9: is refused while a turn runs or waits, with an old plan, during a merge, and when it is too late to undo', async () => {
    const { sessionId, turn, plan, rewind, undo } = session;
    const first = await turn(() => repository.put('b.txt', '1\n'));
    const { planId } = (await plan(first)).body;
    repository.put('b.txt', 'else\n');
    const call = (body: object) => server.call('POST', `/api/session/${sessionId}/rewind`, body);
    expect((await call({ turnId: first, planId })).body.error.code).toBe('STALE');
    expect((await call({ turnId: 'nobody', planId })).body.error.code).toBe('TURN_NOT_FOUND');
    writeFileSync(join(repository.dir, '.git/MERGE_HEAD'), '');
    expect((await plan(first)).body).toMatchObject({ error: { code: 'GIT_BUSY' } });
    repository.remove('.git/MERGE_HEAD');
    const done = await rewind(first);
    const send = await server.call('POST', `/api/session/${sessionId}/send`, { content: 'go on' });
    const running = (send.body as unknown as { turnId: string }).turnId;
    await expect.poll(() => agent.provider.sent.at(-1)?.message, patience).toBe('go on');
    agent.provider.start(sessionId);
    expect((await undo(done.body.rewindId)).body).toMatchObject({ error: { code: 'TURN_RUNNING' } });
    expect((await plan(running)).body).toMatchObject({ error: { code: 'TURN_RUNNING' } });
    agent.provider.end(sessionId);
    await expect.poll(() => server.store.turn(sessionId, running)?.ended ?? null, patience).not.toBeNull();
    expect((await undo(done.body.rewindId)).body).toMatchObject({ error: { code: 'STALE' } });
    expect((await undo('none')).body).toMatchObject({ error: { code: 'CHECKPOINT_NOT_FOUND' } });
    const hits = await server.call<{ hits: unknown[] }>('GET', '/api/search?q=done');
    expect(hits.body.hits).toEqual([]);
  });

  it('CP-3: never touches changes by another session in the same folder, made at the same time or later', async () => {
    const { sessionId, turn, plan, rewind } = session;
    const other = await server.newSession();
    const send = (of: string) => server.call<{ turnId: string }>('POST', `/api/session/${of}/send`, { content: 'go' });
    const mine = (await send(sessionId)).body.turnId;
    await expect.poll(() => server.store.checkpoint(sessionId, mine) ?? null, patience).not.toBeNull();
    const theirs = (await send(other)).body.turnId;
    await expect.poll(() => server.store.checkpoint(other, theirs) ?? null, patience).not.toBeNull();
    agent.provider.start(sessionId, mine);
    agent.provider.start(other, theirs);
    repository.put('b.txt', 'by one of them\n');
    for (const [of, id] of [
      [sessionId, mine],
      [other, theirs],
    ] as const) {
      agent.provider.end(of, { turnId: id });
      await expect.poll(() => server.store.checkpoint(of, id)?.after ?? null, patience).not.toBeNull();
    }
    await turn(() => repository.put('theirs.txt', 'afterwards\n'), other);
    expect((await plan(mine)).body.restore).toEqual([{ path: 'b.txt', change: 'modified', selected: false }]);
    await rewind(mine);
    expect([repository.read('b.txt'), repository.read('theirs.txt')]).toEqual(['by one of them\n', 'afterwards\n']);
  });

  it("CP-3: plans without reading other sessions' checkpoints", async () => {
    const { turn, plan } = session;
    await turn(() => repository.put('a.txt', 'theirs\n'), await server.newSession());
    const first = await turn(() => repository.put('b.txt', '1\n'));
    await turn(() => repository.put('b.txt', '2\n'));
    const [whole, times] = [vi.spyOn(server.store, 'checkpoints'), vi.spyOn(server.store, 'checkpointTimes')];
    expect((await plan(first)).body.restore).toEqual([{ path: 'b.txt', change: 'modified', selected: true }]);
    expect([whole.mock.calls.length, times.mock.calls.length]).toEqual([0, 1]);
  });

  it('CP-5: a full disk mid-way reverts everything and is reported, and the rewind can be retried', async () => {
    let isFull = false;
    const real = createGitRunner();
    const runner: GitRunner = async (run) => {
      const ran = await real(run);
      if (!isFull || run.args[0] !== 'cat-file' || !ran.ok) return ran;
      isFull = false;
      return ok({ ...ran.value, code: 128, stderr: 'fatal: write error: No space left on device' });
    };
    let isFirst = true;
    const own = forkingProvider(async () => {
      isFull = isFirst;
      isFirst = false;
    });
    const at = await startTestServer({ folder: repository.dir, provider: own.provider, git: createGit({ runner }) });
    try {
      const { sessionId, turn, rewind, turnIds } = await openRewindSession(at);
      const kept = await turn(() => repository.put('b.txt', 'kept\n'));
      const lost = await turn(() => repository.put('a.txt', 'lost\n'));
      const refused = await rewind(lost);
      expect(refused.body).toMatchObject({ error: { message: expect.stringMatching(/^The disk is full/) } });
      expect([repository.read('a.txt'), await turnIds()]).toEqual(['lost\n', [kept, lost]]);
      expect(own.bound.get(sessionId) ?? [sessionId]).toEqual([sessionId]);
      const done = await rewind(lost);
      expect([done.status, repository.read('a.txt')]).toEqual([200, 'one\ntwo\nthree\nfour\nfive\n']);
    } finally {
      await at.close();
    }
  });

  it('CP-8: returns a message as it was sent, even in a fork, and none for a turn the agent started', async () => {
    const { sessionId } = session;
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const images = [{ mimeType: 'image/png', data: png, name: 'shot.png' }];
    const message = { content: 'Look at @a.txt', images, mentions: ['a.txt'] };
    Object.assign(agent.provider.capabilities, { images: true });
    const { body } = await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, message);
    await expect.poll(() => agent.provider.sent.length, patience).toBe(1);
    agent.provider.start(sessionId);
    agent.provider.end(sessionId);
    await expect.poll(() => server.store.turn(sessionId, body.turnId)?.ended ?? null, patience).not.toBeNull();
    const read = (of: string, turnId: string) => server.call('GET', `/api/session/${of}/turns/${turnId}/message`);
    expect((await read(sessionId, body.turnId)).body).toEqual(message);
    const copy = await server.call<{ sessionId: string }>('POST', `/api/session/${sessionId}/fork`, {});
    expect((await read(copy.body.sessionId, body.turnId)).body).toEqual(message);
    agent.provider.start(sessionId, 'by-itself', 'agent');
    agent.provider.end(sessionId, { turnId: 'by-itself' });
    await expect.poll(() => server.store.turn(sessionId, 'by-itself')?.ended ?? null, patience).not.toBeNull();
    expect((await read(sessionId, 'by-itself')).body.error.code).toBe('TURN_NOT_FOUND');
    // It isn't a tool's output.
    expect((await server.call('GET', `/api/session/${sessionId}/items/${body.turnId}:0:0/output`)).status).toBe(404);
  });

  it('CP-7: leaves nothing in the repository when its session is deleted', async () => {
    const { sessionId, turn, rewind } = session;
    await turn(() => repository.put('b.txt', 'kept\n'));
    const lost = await turn(() => repository.put('a.txt', 'lost\n'));
    await rewind(lost);
    await server.call('POST', `/api/session/${sessionId}/discard`, { paths: ['b.txt'] });
    const kinds = () => {
      const refs = repository.git('for-each-ref', '--format=%(refname:rstrip=-3)', 'refs/liminal').trim().split('\n');
      return [...new Set(refs)];
    };
    expect(kinds()).toEqual(expect.arrayContaining(['refs/liminal/rewind', 'refs/liminal/turn', 'refs/liminal/undo']));
    await server.call('DELETE', `/api/session/${sessionId}`);
    expect(kinds()).toEqual(['']);
  });

  it('CP-6: restores one file or all files of a turn without touching the conversation, and undoes it', async () => {
    const { sessionId, turn, turnIds } = session;
    const only = await turn(() => {
      repository.put('b.txt', 'agent\n');
      symlinkSync('b.txt', join(repository.dir, 'link'));
    });
    const restore = (body: object) =>
      server.call<{ files: string[]; undoId: string }>('POST', `/api/session/${sessionId}/restore`, {
        turnId: only,
        ...body,
      });
    const one = await restore({ paths: ['b.txt'] });
    expect([one.body.files, repository.read('b.txt')]).toEqual([['b.txt'], 'b\n']);
    await server.call('POST', `/api/session/${sessionId}/undo`, { undoId: one.body.undoId });
    expect(repository.read('b.txt')).toBe('agent\n');
    expect((await restore({})).body.files.toSorted()).toEqual(['b.txt', 'link']);
    expect(existsSync(join(repository.dir, 'link'))).toBe(false);
    expect(await turnIds()).toEqual([only]);
  });
});
