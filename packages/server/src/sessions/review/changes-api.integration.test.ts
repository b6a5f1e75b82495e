import type { ChangedFileReply, ChangesReply, Project } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let repository: TestRepository;
let server: TestServer;
let sessionId: string;

beforeEach(async () => {
  repository = createTestRepository();
  repository.put('a.txt', 'one\ntwo\n');
  repository.commit();
  server = await startTestServer({ folder: repository.dir });
  sessionId = await server.newSession();
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

const trust = async () => {
  const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
  await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
};
const changes = async (query = '') =>
  (await server.call<ChangesReply>('GET', `/api/session/${sessionId}/changes${query}`)).body;

describe('GET changes', () => {
  it('RV-1: names folder and branch, and lists changes no edit call reported', async () => {
    await trust();
    repository.put('a.txt', 'one\n2\n');
    const { source, folder, branch, total, truncated, files, notice, checkpoint } = await changes('?scope=uncommitted');
    expect({ source, folder, branch, total, truncated, notice, checkpoint }).toEqual({
      source: 'git',
      folder: repository.dir,
      branch: 'main',
      total: 1,
      truncated: false,
      notice: undefined,
      checkpoint: 'none',
    });
    expect(files).toMatchObject([
      { path: 'a.txt', change: 'modified', additions: 1, deletions: 1, size: 6, bySession: false },
    ]);
    const path = `/api/session/${sessionId}/changes/file?scope=uncommitted&path=a.txt`;
    const { body } = await server.call<ChangedFileReply>('GET', path);
    expect(body).toMatchObject({ path: 'a.txt', binary: false, tooLarge: false, hunks: [{ hunk: 0 }] });
    expect(body.patch).toContain('-two\n+2\n');
  });

  it('RV-7: answers 200 with a notice in an untrusted folder or one without a repository', async () => {
    repository.put('a.txt', 'one\n2\n');
    expect(await changes()).toMatchObject({ source: 'calls', notice: { code: 'PROJECT_NOT_TRUSTED' }, files: [] });
    await trust();
    repository.remove('.git');
    expect(await changes()).toMatchObject({ source: 'calls', notice: { code: 'NOT_A_REPOSITORY' }, branch: null });
  });

  it('RV-7: reports what is special about a repository', async () => {
    await trust();
    expect(await changes('?scope=session')).toMatchObject({ source: 'calls', notices: [], files: [] });
    repository.put('.git/index.lock', '');
    expect(await changes()).toMatchObject({ source: 'git', notice: { code: 'GIT_BUSY' } });
    repository.remove('.git/index.lock');
    expect(await changes('?scope=base')).toMatchObject({ source: 'git', notice: { code: 'NO_BASE' } });
    repository.put('.gitattributes', '*.bin filter=lfs\n');
    expect(await changes()).toMatchObject({ notice: { code: 'LFS' }, total: 1 });
    expect(await changes('?scope=turn')).toMatchObject({ source: 'calls', notice: { code: 'NO_CHECKPOINT' } });
  });

  it('refuses paths outside the folder or below .git, unknown turns and unchanged files', async () => {
    await trust();
    const codeOf = async (query: string) =>
      (await server.call('GET', `/api/session/${sessionId}/changes/file?${query}`)).body.error.code;
    expect(await codeOf('path=../x')).toBe('PATH_REFUSED');
    expect(await codeOf('path=.git/config')).toBe('PATH_REFUSED');
    expect(await codeOf('path=a.txt')).toBe('FILE_NOT_FOUND');
    expect(await codeOf('path=a.txt&scope=turn&turnId=none')).toBe('TURN_NOT_FOUND');
    expect(await codeOf('path=a.txt&scope=nonsense')).toBe('INVALID_REQUEST');
  });
});
