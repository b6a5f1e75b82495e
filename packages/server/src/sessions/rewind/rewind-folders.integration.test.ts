import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { startWorktreeServer } from '../../worktrees/testing/worktree-server.ts';
import { forkingProvider } from './testing/forking-provider.ts';
import { createSampleRepository, openRewindSession, type RewindSession } from './testing/rewind-session.ts';

let repository: TestRepository;
let server: TestServer;
let session: RewindSession;

beforeEach(async () => {
  repository = createSampleRepository();
  repository.put('folder/x.txt', 'x\n');
  repository.commit();
  server = await startTestServer({ folder: repository.dir, provider: forkingProvider().provider });
  session = await openRewindSession(server);
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

const replace = (): void => {
  repository.remove('b.txt');
  repository.put('b.txt/inner/made.txt', 'made\n');
  repository.remove('folder');
  repository.put('folder', 'now a file\n');
};

describe('a turn that replaced a file by a folder, and a folder by a file', () => {
  it('CP-3 CP-4: is rewound, and the rewind undone', async () => {
    const { turn, rewind, undo } = session;
    const only = await turn(replace);
    const done = await rewind(only);
    expect(done).toMatchObject({ status: 200, body: { left: [] } });
    expect([repository.read('b.txt'), repository.read('folder/x.txt')]).toEqual(['b\n', 'x\n']);
    expect(await undo(done.body.rewindId)).toMatchObject({ status: 200, body: { left: [] } });
    expect([repository.read('b.txt/inner/made.txt'), repository.read('folder')]).toEqual(['made\n', 'now a file\n']);
  });

  it.each([
    ['file', () => repository.put('b.txt/mine.txt', 'mine\n'), 'b.txt/mine.txt'],
    ['folder', () => mkdirSync(join(repository.dir, 'b.txt/mine')), 'b.txt/mine'],
  ])('CP-3: is rewound without the file if the folder has another %s, which stays', async (_kind, add, stays) => {
    const { turn, plan, rewind } = session;
    const only = await turn(replace);
    add();
    expect((await plan(only)).body).toMatchObject({ foreign: [{ path: 'b.txt' }] });
    expect((await rewind(only)).status).toBe(200);
    expect([existsSync(join(repository.dir, stays)), repository.read('folder/x.txt')]).toEqual([true, 'x\n']);
  });
});

describe('undoing a rewind', () => {
  it('CP-4: is refused while the folder is not trusted, and changes neither files nor conversation', async () => {
    const { turn, rewind, undo, turnIds } = session;
    const only = await turn(() => repository.put('b.txt', 'changed\n'));
    const { rewindId } = (await rewind(only)).body;
    const { projects } = (await server.call<{ projects: Project[] }>('GET', '/api/projects')).body;
    const trust = (trusted: boolean) =>
      server.call('POST', `/api/projects/${projects[0]?.projectId ?? ''}/trust`, { trusted });
    await trust(false);
    expect(await undo(rewindId)).toMatchObject({ status: 409, body: { error: { code: 'PROJECT_NOT_TRUSTED' } } });
    expect([await turnIds(), repository.read('b.txt')]).toEqual([[], 'b\n']);
    await trust(true);
    expect(await undo(rewindId)).toMatchObject({ status: 200, body: { restored: ['b.txt'], left: [] } });
    expect([await turnIds(), repository.read('b.txt')]).toEqual([[only], 'changed\n']);
  });

  it('CP-4 WT-1: restores a parked worktree first', async () => {
    const world = await startWorktreeServer({ provider: forkingProvider().provider });
    try {
      const { sessionId, place } = await world.session();
      const file = join(place.folder, 'a.txt');
      const { turn, rewind, undo } = await openRewindSession(world.server, sessionId);
      const { rewindId } = (await rewind(await turn(() => writeFileSync(file, 'changed\n')))).body;
      const parked = await world.server.call('POST', `/api/worktrees/${place.worktreeId}/park`, {});
      expect([parked.status, existsSync(file)]).toEqual([200, false]);
      expect(await undo(rewindId)).toMatchObject({ status: 200, body: { restored: ['a.txt'], left: [] } });
      expect(readFileSync(file, 'utf8')).toBe('changed\n');
    } finally {
      await world.close();
    }
  });
});
