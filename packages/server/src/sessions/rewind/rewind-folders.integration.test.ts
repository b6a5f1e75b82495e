import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
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
