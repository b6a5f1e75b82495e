import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { forkingProvider } from './testing/forking-provider.ts';
import { openRewindSession, type RewindSession } from './testing/rewind-session.ts';

let data: TestRepository;
let folder: TestRepository;
let server: TestServer;
let session: RewindSession;
let megabytes: number;

beforeEach(async () => {
  megabytes = 500;
  data = createTestRepository({ init: false });
  folder = createTestRepository({ init: false });
  folder.put('a.txt', 'one\n');
  folder.put('run.sh', '#!/bin/sh\n', 0o755);
  const git = createGit({ shadow: { folder: join(data.dir, 'shadow'), megabytes: () => megabytes } });
  server = await startTestServer({ folder: folder.dir, git, provider: forkingProvider().provider });
  session = await openRewindSession(server);
});
afterEach(async () => {
  await server.close();
  folder.cleanup();
  data.cleanup();
});

const hasFile = (path: string): boolean => existsSync(join(folder.dir, path));

describe('a folder without git', () => {
  it('CP-3 CP-4: is rewound with its files, as a repository is, and the rewind can be undone', async () => {
    const { turn, plan, rewind, undo, turnIds } = session;
    const kept = await turn(() => folder.put('a.txt', 'two\n'));
    const lost = await turn(() => {
      folder.put('a.txt', 'three\n');
      folder.put('made/new.txt', 'new\n');
      folder.remove('run.sh');
    });
    expect((await plan(lost)).body).toMatchObject({
      restore: expect.arrayContaining([
        { path: 'a.txt', change: 'modified', selected: true },
        { path: 'made/new.txt', change: 'deleted', selected: true },
        { path: 'run.sh', change: 'added', selected: true },
      ]) as unknown,
      lost: [],
    });
    const done = await rewind(lost);
    expect(done).toMatchObject({ status: 200, body: { left: [] } });
    expect([folder.read('a.txt'), hasFile('made'), hasFile('run.sh')]).toEqual(['two\n', false, true]);
    expect(await turnIds()).toEqual([kept]);
    expect(await undo(done.body.rewindId)).toMatchObject({ status: 200, body: { left: [] } });
    expect([folder.read('a.txt'), folder.read('made/new.txt'), hasFile('run.sh')]).toEqual(['three\n', 'new\n', false]);
    expect([await turnIds(), hasFile('.git')]).toEqual([[kept, lost], false]);
  });

  it('CP-6: restores the files of a turn, and undoes it', async () => {
    const { sessionId, turn } = session;
    const turnId = await turn(() => folder.put('a.txt', 'two\n'));
    const restored = await server.call('POST', `/api/session/${sessionId}/restore`, { turnId });
    expect([restored.body['files'], folder.read('a.txt')]).toEqual([['a.txt'], 'one\n']);
    await server.call('POST', `/api/session/${sessionId}/undo`, { undoId: restored.body['undoId'] });
    expect(folder.read('a.txt')).toBe('two\n');
  });

  it('CP-3 CP-6: says which turns can’t be restored after it became a repository, and rewinds the conversation', async () => {
    const { sessionId, turn, plan, rewind, turnIds } = session;
    const kept = await turn(() => folder.put('a.txt', 'two\n'));
    const before = await turn(() => folder.put('a.txt', 'three\n'));
    folder.git('init', '--quiet', '--initial-branch=main');
    const restored = await server.call('POST', `/api/session/${sessionId}/restore`, { turnId: before });
    expect(restored.body.error).toMatchObject({
      code: 'CHECKPOINT_NOT_FOUND',
      message: 'These turns were recorded before this folder became a git repository.',
    });
    const lost =
      'These turns were recorded before this folder became a git repository. Only the conversation is rewound.';
    expect((await plan(before)).body).toMatchObject({ restore: [], merge: [], foreign: [], lost: [lost] });
    await turn(() => folder.put('new.txt', 'new\n'));
    expect((await plan(before)).body).toMatchObject({
      restore: [{ path: 'new.txt', change: 'deleted', selected: true }],
      lost: [expect.stringMatching(/^1 of 2 turns were recorded before this folder became a git repository: /)],
    });
    expect(await rewind(before)).toMatchObject({ status: 200, body: { left: [] } });
    expect([folder.read('a.txt'), hasFile('new.txt'), await turnIds()]).toEqual(['three\n', false, [kept]]);
  });

  it('CP-3: says that its files stay if it can’t be read any more', async () => {
    const { turn, plan } = session;
    const only = await turn(() => folder.put('a.txt', 'two\n'));
    data.remove('shadow');
    megabytes = 0;
    expect((await plan(only)).body).toMatchObject({
      restore: [],
      lost: [expect.stringMatching(/no git repository.*Only the conversation is rewound\.$/)],
    });
  });
});
