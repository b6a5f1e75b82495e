import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../../git/run-git.ts';
import type { TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { createSampleRepository, openRewindSession, type RewindSession } from '../rewind/testing/rewind-session.ts';

let repository: TestRepository;
let server: TestServer;
let session: RewindSession;
/** Called when the index is about to be written; returns git's error, if any. */
let onIndexWrite: () => string | null;
/** Called when the discarded files are kept, before the first one is written. */
let onKept: () => void;
/** Called when git has read the files that are about to be written. */
let onRead: () => void;

beforeEach(async () => {
  onIndexWrite = () => null;
  onKept = () => {};
  onRead = () => {};
  const real = createGitRunner();
  const runner: GitRunner = async (run) => {
    const stderr = run.args[0] === 'update-index' && run.env === undefined ? onIndexWrite() : null;
    if (stderr !== null) return ok({ code: 128, stdout: Buffer.of(), stderr, isCutShort: false });
    const ran = await real(run);
    if ([...run.args, String(run.input)].some((text) => text.includes('refs/liminal/undo'))) onKept();
    if (run.args[0] === 'cat-file') onRead();
    return ran;
  };
  repository = createSampleRepository();
  server = await startTestServer({ folder: repository.dir, git: createGit({ runner }) });
  session = await openRewindSession(server);
  repository.put('a.txt', 'mine\n');
  repository.put('b.txt', 'mine\n');
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

const post = (action: string, body: object) => server.call('POST', `/api/session/${session.sessionId}/${action}`, body);
const contents = () => [repository.read('a.txt'), repository.read('b.txt')];

describe('a discard that fails', () => {
  it('RV-6: writes no file if one has changed meanwhile', async () => {
    onKept = () => repository.put('b.txt', 'agent\n');
    const { body } = await post('discard', { paths: ['a.txt', 'b.txt'] });
    expect([body.error.code, ...contents()]).toEqual(['STALE', 'mine\n', 'agent\n']);
  });

  it('RV-6: puts the files back if the index can’t be written', async () => {
    repository.git('add', 'a.txt');
    onIndexWrite = () => 'fatal: broken';
    const { body } = await post('discard', { paths: ['a.txt', 'b.txt'], scope: 'uncommitted' });
    expect(body.error).toEqual({ code: 'GIT_FAILED', message: 'Git said: broken' });
    expect([...contents(), repository.git('status', '--porcelain')]).toEqual([
      'mine\n',
      'mine\n',
      'M  a.txt\n M b.txt\n',
    ]);
  });

  it('RV-6: returns an id to undo it if the files can’t be put back either', async () => {
    onIndexWrite = () => {
      repository.put('b.txt', 'agent\n');
      return 'fatal: broken';
    };
    const { body } = await post('discard', { paths: ['a.txt', 'b.txt'], scope: 'uncommitted' });
    const undoId = (body.error as { details?: { undoId?: string } }).details?.undoId;
    expect(body.error.message).toContain('Undo restores them.');
    onIndexWrite = () => null;
    repository.git('checkout', '--quiet', '--', 'b.txt');
    expect((await post('undo', { undoId })).status).toBe(200);
    expect(contents()).toEqual(['mine\n', 'mine\n']);
  });
});

describe('a file that is written while others are restored', () => {
  it('RV-6: is not overwritten by undoing a discard, which restores nothing', async () => {
    const { body } = await post('discard', { paths: ['a.txt', 'b.txt'] });
    const before = contents();
    onRead = () => repository.put('a.txt', 'agent\n');
    const undone = await post('undo', { undoId: body['undoId'] });
    expect([undone.body.error.code, ...contents()]).toEqual(['STALE', 'agent\n', before[1]]);
  });

  it('CP-6: is left alone by a restore, which reports the others', async () => {
    const turnId = await session.turn(() => {
      repository.put('a.txt', 'agent\n');
      repository.put('b.txt', 'agent\n');
    });
    let isKept = false;
    onKept = () => (isKept = true);
    onRead = () => isKept && repository.put('a.txt', 'later\n');
    const { body } = await post('restore', { turnId });
    expect([body['files'], ...contents()]).toEqual([['b.txt'], 'later\n', 'mine\n']);
  });
});

describe('a restore that fails', () => {
  it('CP-6: puts back the files it has already written', async () => {
    repository.put('dir/x.txt', 'x\n');
    const turnId = await session.turn(() => {
      repository.put('b.txt', 'agent\n');
      rmSync(join(repository.dir, 'dir'), { recursive: true });
    });
    mkdirSync(join(repository.dir, 'elsewhere'));
    symlinkSync('elsewhere', join(repository.dir, 'dir'));
    const { body } = await post('restore', { turnId });
    expect([body.error.code, repository.read('b.txt')]).toEqual(['PATH_REFUSED', 'agent\n']);
  });
});
