import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedFileReply, ChangesReply, Project } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { blobId } from '../../git/repository.ts';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let data: TestRepository;
let folder: TestRepository;
let server: TestServer;
let megabytes: number;

beforeEach(async () => {
  megabytes = 500;
  data = createTestRepository({ init: false });
  folder = createTestRepository({ init: false });
  folder.put('a.txt', 'one\n');
  folder.put('secret.txt', 'x\n', 0o600);
  folder.put('node_modules/x.js', 'x\n');
  const git = createGit({ shadow: { folder: join(data.dir, 'shadow'), megabytes: () => megabytes } });
  server = await startTestServer({ folder: folder.dir, git });
  const { body } = await server.call<Project>('POST', '/api/projects', { dir: folder.dir });
  await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
});
afterEach(async () => {
  await server.close();
  folder.cleanup();
  data.cleanup();
});

const changes = async (sessionId: string, query: string) =>
  (await server.call<ChangesReply>('GET', `/api/session/${sessionId}/changes?${query}`)).body;
/** A turn in which something changes the folder. */
async function turn(act: () => void): Promise<string> {
  const sessionId = await server.newSession();
  const sent = server.provider.sent.length;
  const { body } = await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: 'go' });
  await expect.poll(() => server.provider.sent.length).toBe(sent + 1);
  server.provider.start(sessionId, body.turnId);
  act();
  server.provider.end(sessionId);
  const opened = server.served.roster.get(sessionId);
  if (opened.ok) await opened.value.shell.settled();
  return sessionId;
}

describe('a folder without git', () => {
  it('CP-1 RV-1: is recorded in our own repository, and nothing is added to the folder', async () => {
    const sessionId = await turn(() => {
      folder.put('a.txt', 'two\n');
      folder.remove('secret.txt');
      folder.put('node_modules/y.js', 'y\n');
    });
    const listed = await changes(sessionId, 'scope=turn');
    expect([listed.source, listed.checkpoint, listed.branch, listed.notices]).toEqual(['shadow', 'kept', null, []]);
    expect(listed.files.map(({ path, change }) => [path, change])).toEqual([
      ['a.txt', 'modified'],
      ['secret.txt', 'deleted'],
    ]);
    const url = `/api/session/${sessionId}/changes/file?scope=turn&path=a.txt`;
    expect((await server.call<ChangedFileReply>('GET', url)).body.patch).toContain('-one\n+two\n');
    expect((await changes(sessionId, 'scope=session')).source).toBe('shadow');
    expect(existsSync(join(folder.dir, '.git'))).toBe(false);
    // These scopes need commits and an index.
    expect(await changes(sessionId, 'scope=uncommitted')).toMatchObject({
      source: 'calls',
      notice: { code: 'NOT_A_REPOSITORY' },
    });
  });

  it('RV-7: shows what the calls reported for turns from before it became a repository, and says why', async () => {
    const sessionId = await turn(() => folder.put('a.txt', 'two\n'));
    execFileSync('git', ['init', '-q'], { cwd: folder.dir });
    for (const scope of ['turn', 'session'])
      expect(await changes(sessionId, `scope=${scope}`)).toMatchObject({
        source: 'calls',
        checkpoint: 'none',
        notice: { code: 'NO_CHECKPOINT' },
      });
    const url = `/api/session/${sessionId}/changes/file?scope=turn&path=a.txt`;
    expect((await server.call('GET', url)).body).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } });
  });

  it('CP-1 RV-7: is not recorded beyond the limit, and the list says why', async () => {
    megabytes = 1;
    folder.put('large.bin', Buffer.alloc(2 * 1024 * 1024));
    const sessionId = await turn(() => folder.put('a.txt', 'two\n'));
    expect(await changes(sessionId, 'scope=turn')).toMatchObject({
      source: 'calls',
      checkpoint: 'none',
      notice: { code: 'NOT_A_REPOSITORY', message: expect.stringContaining('1 MB') as string },
    });
    expect(existsSync(join(data.dir, 'shadow'))).toBe(false);
  });

  it('CP-7: frees the space of its checkpoints when their session is deleted', async () => {
    const sessionId = await turn(() => folder.put('a.txt', 'two\n'));
    const shadow = join(data.dir, 'shadow');
    const id = blobId('sha1', Buffer.from('two\n'));
    const stored = () =>
      readdirSync(shadow, { recursive: true, encoding: 'utf8' })
        .filter((name) => /objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name))
        .map((name) => join(shadow, name));
    expect(stored().filter((name) => name.endsWith(id.slice(2)))).toHaveLength(1);
    const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
    for (const name of stored()) utimesSync(name, longAgo, longAgo);
    await server.call('DELETE', `/api/session/${sessionId}`);
    expect(stored()).toEqual([]);
    // What was recorded before is recorded again.
    const next = await turn(() => folder.put('a.txt', 'three\n'));
    const url = `/api/session/${next}/changes/file?scope=turn&path=a.txt`;
    expect((await server.call<ChangedFileReply>('GET', url)).body.patch).toContain('-two\n+three\n');
  });
});
