import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import type { TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { forkingProvider } from './testing/forking-provider.ts';
import { createSampleRepository, openRewindSession, type RewindSession } from './testing/rewind-session.ts';

let repository: TestRepository;
let server: TestServer;
let session: RewindSession;

beforeEach(async () => {
  repository = createSampleRepository();
  const git = createGit({ limits: { untrackedBytes: 1_000, trackedBytes: 2_000, totalBytes: 10_000 } });
  server = await startTestServer({ folder: repository.dir, provider: forkingProvider().provider, git });
  session = await openRewindSession(server);
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

const exclude = '.git/info/exclude';
const revealed: readonly (readonly [string, { readonly hide: () => void; readonly reveal: () => void }])[] = [
  [
    "changing the repository's exclude file",
    { hide: () => repository.put(exclude, '.env\n'), reveal: () => repository.put(exclude, '') },
  ],
  [
    "changing the user's exclude file",
    {
      hide() {
        repository.git('config', 'core.excludesFile', join(repository.dir, '.git/own-rules'));
        repository.put('.git/own-rules', '.env\n');
      },
      reveal: () => repository.put('.git/own-rules', 'other\n'),
    },
  ],
  [
    'setting another exclude file',
    {
      hide() {
        repository.git('config', 'core.excludesFile', join(repository.dir, '.git/own-rules'));
        repository.put('.git/own-rules', '.env\n');
      },
      reveal: () => void repository.git('config', 'core.excludesFile', join(repository.dir, '.git/nothing')),
    },
  ],
  [
    'adding it to the index',
    { hide: () => repository.put(exclude, '.env\n'), reveal: () => void repository.git('add', '--force', '.env') },
  ],
];

describe('files that were there before a turn, but not in its checkpoint', () => {
  it.each(revealed)('CP-3: a rewind leaves a file that the turn revealed by %s', async (_name, { hide, reveal }) => {
    const { turn, plan, rewind } = session;
    hide();
    repository.put('.env', 'KEY=1\n');
    const only = await turn(reveal);
    expect((await plan(only)).body).toMatchObject({ restore: [], foreign: [{ path: '.env' }] });
    expect((await rewind(only)).status).toBe(200);
    expect(repository.read('.env')).toBe('KEY=1\n');
  });

  it('CP-3: a rewind leaves the files of a nested repository that the turn made part of this one', async () => {
    const { turn, plan, rewind } = session;
    repository.git('init', '--quiet', 'nested');
    repository.put('nested/mine.txt', 'mine\n');
    repository.git('-C', 'nested', 'add', 'mine.txt');
    repository.git('-C', 'nested', 'commit', '--quiet', '--message', 'mine');
    const only = await turn(() => rmSync(join(repository.dir, 'nested/.git'), { recursive: true }));
    expect((await plan(only)).body).toMatchObject({ restore: [], foreign: [{ path: 'nested/mine.txt' }] });
    expect((await rewind(only)).status).toBe(200);
    expect(repository.read('nested/mine.txt')).toBe('mine\n');
  });

  const large = 'x'.repeat(1_500);

  it.each<readonly [string, () => void, string]>([
    ['added to the index', () => void repository.git('add', 'data.csv'), large],
    ['shortened', () => repository.put('data.csv', 'short\n'), 'short\n'],
  ])('CP-3: a rewind leaves a file that was too large to keep before the turn %s', async (_name, work, after) => {
    const { turn, plan, rewind } = session;
    repository.put('data.csv', large);
    const only = await turn(work);
    const { restore, foreign, lost } = (await plan(only)).body;
    expect([restore, foreign, lost]).toEqual([[], [], [expect.stringContaining('"data.csv" was not kept')]]);
    expect((await rewind(only)).status).toBe(200);
    expect(repository.read('data.csv')).toBe(after);
  });

  it('CP-3: a rewind restores the other files if one has become too large to keep', async () => {
    const { turn, plan, rewind } = session;
    const only = await turn(() => {
      repository.put('data.csv', 'short\n');
      repository.put('b.txt', 'b by the agent\n');
    });
    const larger = large.repeat(2);
    repository.put('data.csv', larger);
    const { restore, lost } = (await plan(only)).body;
    expect([restore.map(({ path }) => path), lost]).toEqual([['b.txt'], [expect.stringContaining('"data.csv"')]]);
    expect((await rewind(only)).status).toBe(200);
    expect([repository.read('data.csv'), repository.read('b.txt')]).toEqual([larger, 'b\n']);
  });
});

describe('an ignored file that an edit call of a turn named', () => {
  const edited = (): Promise<string> =>
    session.turn(async (turnId) => {
      const { sessionId } = session;
      const at = '2026-01-01T00:00:00.000Z';
      server.provider.upsert(sessionId, {
        type: 'tool_call',
        sessionId,
        turnId,
        itemId: `${turnId}:0:0`,
        sourceTimestamp: at,
        emittedAt: at,
        status: 'update',
        toolName: 'Edit',
        toolArguments: {},
        toolKind: 'edit',
        callId: `${turnId}-call`,
        locations: [{ path: join(repository.dir, '.env') }],
      });
      const recorded = () =>
        repository.git('ls-tree', server.store.checkpoint(sessionId, turnId)?.before?.tree ?? 'HEAD');
      await expect.poll(recorded).toContain('.env');
      repository.put('.env', 'KEY=1\nTWO=agent\n');
    });

  beforeEach(() => {
    repository.put(exclude, '.env\n');
    repository.put('.env', 'KEY=1\n', 0o600);
  });

  it('CP-3 CP-4: is restored by a rewind, with its permissions, and by undoing it', async () => {
    const { plan, rewind, undo } = session;
    const only = await edited();
    expect((await plan(only)).body).toMatchObject({ restore: [{ path: '.env', change: 'modified' }], foreign: [] });
    const { body } = await rewind(only);
    expect([body.restored, body.left, repository.read('.env')]).toEqual([['.env'], [], 'KEY=1\n']);
    expect(statSync(join(repository.dir, '.env')).mode & 0o777).toBe(0o600);
    expect((await undo(body.rewindId)).status).toBe(200);
    expect(repository.read('.env')).toBe('KEY=1\nTWO=agent\n');
  });

  it('CP-3: is left alone by a rewind if the same lines were changed since', async () => {
    const { plan, rewind } = session;
    const only = await edited();
    repository.put('.env', 'KEY=1\nTWO=mine\n');
    expect((await plan(only)).body).toMatchObject({ restore: [], merge: [], foreign: [{ path: '.env' }] });
    expect((await rewind(only)).status).toBe(200);
    expect(repository.read('.env')).toBe('KEY=1\nTWO=mine\n');
  });
});
