import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { forkingProvider } from './testing/forking-provider.ts';
import { createSampleRepository, openRewindSession, type RewindSession } from './testing/rewind-session.ts';

let repository: TestRepository;
let server: TestServer;
let session: RewindSession;

const mixed = 'one\r\ntwo\nthree\r\n';

beforeEach(async () => {
  repository = createSampleRepository();
  repository.put('.gitattributes', '* text=auto\n');
  repository.put('mixed.txt', mixed);
  repository.put('edited.txt', mixed);
  repository.put('secret.txt', 'secret\n', 0o600);
  repository.put('tool.sh', '#!/bin/sh\n', 0o700);
  repository.commit();
  server = await startTestServer({ folder: repository.dir, provider: forkingProvider().provider });
  session = await openRewindSession(server);
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

const modeOf = (path: string): number => lstatSync(join(repository.dir, path)).mode & 0o7777;

describe('files that a turn deleted or changed', () => {
  it('CP-1 CP-3: come back with the permissions and the bytes that git does not store', async () => {
    const { turn, rewind } = session;
    const only = await turn(() => {
      for (const path of ['mixed.txt', 'secret.txt', 'tool.sh']) repository.remove(path);
      repository.put('edited.txt', 'by the agent\n');
    });
    expect(await rewind(only)).toMatchObject({ status: 200, body: { left: [] } });
    expect([modeOf('secret.txt'), modeOf('tool.sh')]).toEqual([0o600, 0o700]);
    expect([repository.read('mixed.txt'), repository.read('edited.txt')]).toEqual([mixed, mixed]);
  });

  it('CP-3: keep the permissions that the user gave them since', async () => {
    const { turn, rewind } = session;
    const only = await turn(() => repository.put('secret.txt', 'by the agent\n', 0o640));
    expect((await rewind(only)).status).toBe(200);
    expect([repository.read('secret.txt'), modeOf('secret.txt')]).toEqual(['secret\n', 0o640]);
  });
});
