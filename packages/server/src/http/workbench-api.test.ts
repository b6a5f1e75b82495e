import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilesReply, FoldersReply, SendReply } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let home: string;
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-home-')));
  for (const folder of ['work', 'Attic', '.config', 'work/app', 'locked']) mkdirSync(join(home, folder));
  writeFileSync(join(home, 'file.txt'), '');
  server = await startTestServer({ home });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
  chmodSync(join(home, 'locked'), 0o700);
  rmSync(home, { recursive: true, force: true });
});

const folders = (query = '') => server.call<FoldersReply>('GET', `/api/folders${query}`);
const at = (path: string) => folders(`?path=${encodeURIComponent(path)}`);

/** File permissions apply to root too while it acts as another user. */
async function asOrdinaryUser<Done>(act: () => Promise<Done>): Promise<Done> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe('browsing folders', () => {
  it('starts at home, with folders only and hidden ones last', async () => {
    symlinkSync(join(home, 'work'), join(home, 'zlink'));
    symlinkSync(join(home, 'file.txt'), join(home, 'afile'));
    const { status, body } = await folders();
    expect(status).toBe(200);
    expect(body).toMatchObject({ path: home, home, parent: realpathSync(tmpdir()), truncated: false, recent: [] });
    expect(body.folders).toEqual([
      { name: 'Attic', hidden: false },
      { name: 'locked', hidden: false },
      { name: 'work', hidden: false },
      { name: 'zlink', hidden: false },
      { name: '.config', hidden: true },
    ]);
  });

  it('goes anywhere by path or from home, and completes a name', async () => {
    expect((await at(join(home, 'work'))).body.folders).toEqual([{ name: 'app', hidden: false }]);
    expect((await at('~/work/../work')).body.path).toBe(join(home, 'work'));
    expect((await folders('?prefix=AT')).body.folders.map(({ name }) => name)).toEqual(['Attic']);
    expect((await at('/')).body.parent).toBeNull();
  });

  it('explains what is wrong', async () => {
    const answers = await Promise.all(['none', 'file.txt'].map((name) => at(join(home, name))));
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    const wrong = (await server.call('GET', '/api/folders?path=relative')).body.error;
    expect(wrong).toMatchObject({
      code: 'PROJECT_DIR_INVALID',
      message: expect.stringContaining('full path') as string,
    });
  });

  it('reports an unreadable folder', async () => {
    chmodSync(home, 0o755);
    chmodSync(join(home, 'locked'), 0o000);
    const { status, body } = await asOrdinaryUser(() =>
      server.call('GET', `/api/folders?path=${encodeURIComponent(join(home, 'locked'))}`),
    );
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('Check its permissions')]);
  });

  it('offers recently added folders that still exist, newest first', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const [day, dir] of ['work', 'Attic', 'work/app'].entries()) {
      vi.setSystemTime(new Date(2026, 0, day + 1));
      await server.call('POST', '/api/projects', { dir: join(home, dir) });
    }
    rmSync(join(home, 'Attic'), { recursive: true });
    expect((await folders()).body.recent).toEqual([join(home, 'work/app'), join(home, 'work')]);
  });
});

describe('the list of projects', () => {
  it('shows the checked-out branch of trusted folders', async () => {
    mkdirSync(join(server.folder, '.git'));
    writeFileSync(join(server.folder, '.git/HEAD'), 'ref: refs/heads/fix/limit\n');
    const { projectId } = (await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder }))
      .body;
    const branch = async () =>
      (await server.call<{ projects: { branch?: string }[] }>('GET', '/api/projects')).body.projects[0]?.branch;
    expect(await branch()).toBeUndefined();
    await server.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
    expect(await branch()).toBe('fix/limit');
  });
});

describe('completing a file', () => {
  it('finds files of the project, and only of a project', async () => {
    writeFileSync(join(server.folder, 'button.ts'), '');
    const { projectId } = (await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder }))
      .body;
    const { body } = await server.call<FilesReply>('GET', `/api/projects/${projectId}/files?q=btn`);
    expect(body).toEqual({
      files: [{ path: 'button.ts', kind: 'file', matches: [0, 3, 5] }],
      total: 1,
      truncated: false,
    });
    expect((await server.call('GET', '/api/projects/none/files?q=a')).body.error.code).toBe('PROJECT_NOT_FOUND');
  });
});

describe('the layout of the page', () => {
  it('is stored unchanged', async () => {
    expect((await server.call('GET', '/api/workspace')).body).toEqual({ tabs: [], activeTab: null });
    const workspace = {
      tabs: ['a', 'b'],
      activeTab: 'b',
      collapsed: ['p'],
      sidebarWidth: 280,
      split: { left: 'a', right: 'b', ratio: 0.4 },
    };
    expect((await server.call('PUT', '/api/workspace', workspace)).status).toBe(200);
    expect((await server.call('GET', '/api/workspace')).body).toEqual(workspace);
    expect((await server.call('PUT', '/api/workspace', { tabs: [''] })).status).toBe(400);
  });
});

describe('attachments of a message', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n1234', 'latin1').toString('base64');
  const send = (body: object) =>
    server.newSession().then((id) => server.call('POST', `/api/session/${id}/send`, { content: 'look', ...body }));

  it('MM-5: rejects a false image, and the agent doesn’t receive it', async () => {
    const wrong = await send({
      images: [{ mimeType: 'image/png', data: Buffer.from('no image at all').toString('base64') }],
    });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(server.provider.sent).toEqual([]);
    expect(server.store.openTurns()).toEqual([]);
    expect((await send({ images: [{ mimeType: 'image/png', data: png }] })).status).toBe(202);
  });

  it('MM-5: an image needs no text, but an empty message is rejected', async () => {
    expect((await send({ content: '', images: [{ mimeType: 'image/png', data: png }] })).status).toBe(202);
    await vi.waitFor(() => expect(server.provider.sent).toMatchObject([{ message: '', options: { images: [{}] } }]));
    expect((await send({ content: '', images: [] })).body.error.code).toBe('INVALID_REQUEST');
  });

  it('serves the images of a queued message until it is sent', async () => {
    const id = await server.newSession();
    const images = [{ mimeType: 'image/png', data: png, name: 'one.png' }];
    const sendOne = async (body: object) =>
      (await server.call<SendReply>('POST', `/api/session/${id}/send`, body)).body.turnId;
    const imagesOf = (turnId: string) => server.call('GET', `/api/session/${id}/queue/${turnId}/images`);
    const first = await sendOne({ content: 'one' });
    const second = await sendOne({ content: '', images });
    expect(await imagesOf(second)).toMatchObject({ status: 200, body: { images } });
    expect(await imagesOf(first)).toMatchObject({ status: 409, body: { error: { code: 'TURN_STARTED' } } });
    expect(await imagesOf('none')).toMatchObject({ status: 404, body: { error: { code: 'TURN_NOT_FOUND' } } });
  });

  it('rejects a mention outside the project, but not text that looks like one', async () => {
    const wrong = await send({ content: 'see @../x', mentions: ['../x'] });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    writeFileSync(join(server.folder, 'x'), '');
    expect((await send({ mentions: ['x'] })).status).toBe(202);
    expect((await send({ content: 'see @/etc/passwd' })).status).toBe(202);
  });
});
