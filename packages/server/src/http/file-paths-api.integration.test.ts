import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, testToken, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let base: string;
let outside: string;
beforeEach(async () => {
  server = await startTestServer();
  outside = `${server.folder}-outside`;
  mkdirSync(outside);
  mkdirSync(join(server.folder, 'src'));
  mkdirSync(join(server.folder, '.git'));
  writeFileSync(join(server.folder, '.git', 'config'), 'of git');
  writeFileSync(join(server.folder, 'src/a.ts'), 'inside\n');
  writeFileSync(join(outside, 'secret.txt'), 'secret\n');
  symlinkSync(join(outside, 'secret.txt'), join(server.folder, 'link.txt'));
  symlinkSync(outside, join(server.folder, 'away'));
  symlinkSync('..', join(server.folder, 'src', 'up'));
  symlinkSync('/', join(server.folder, 'root'));
  const added = await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder });
  base = `/api/projects/${added.body.projectId}`;
  await server.call('POST', `${base}/trust`, { trusted: true });
});
afterEach(async () => {
  await server.close();
  rmSync(outside, { recursive: true });
});

async function ask(method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object, headers = {}) {
  const reply = await server.served.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${testToken}`, host: 'localhost:0', ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: reply.statusCode, text: reply.body };
}

/** Every escape that other suites try, for existing and for missing files. */
const escapingPaths = (): string[] => {
  const name = outside.split('/').at(-1) ?? '';
  return [
    `../${name}/secret.txt`,
    `src/../../${name}/secret.txt`,
    `./././../${name}/secret.txt`,
    join(outside, 'secret.txt'),
    `//${join(outside, 'secret.txt')}`,
    'link.txt',
    'away/secret.txt',
    'away/new.txt',
    'away/new/deep.txt',
    `root${join(outside, 'secret.txt')}`,
    `src/up/away/secret.txt`,
    '/proc/self/environ',
    '/proc/self/root/etc/passwd',
    '/dev/stdin',
    '../',
    '..',
    '/',
    'src/a.ts\0.txt',
  ];
};
const everything = (): string =>
  JSON.stringify([
    readdirSync(outside, { recursive: true }),
    readFileSync(join(outside, 'secret.txt'), 'utf8'),
    readdirSync(server.folder).toSorted(),
    readFileSync(join(server.folder, 'src/a.ts'), 'utf8'),
    readdirSync(dirname(server.folder)).filter((name) => name.startsWith(`${server.folder}x`)),
  ]);

describe('G-1: paths that lead out of a project, on every file route,', () => {
  it('are refused with the same answer whether or not something is there, and change nothing', async () => {
    const before = everything();
    for (const path of escapingPaths()) {
      const query = `path=${encodeURIComponent(path)}`;
      const answers = [
        await ask('GET', `${base}/tree?${query}`),
        await ask('GET', `${base}/file?${query}`),
        await ask('GET', `${base}/file?${query}&offset=0&length=10`),
        await ask('PUT', `${base}/file?${query}`, { content: 'x' }, { 'if-none-match': '*' }),
        await ask('PUT', `${base}/file?${query}`, { content: 'x' }, { 'if-match': '"any"' }),
      ];
      // A link itself is in the project: it can be deleted and moved like any file.
      if (path !== 'link.txt')
        answers.push(
          await ask('DELETE', `${base}/file?${query}`),
          await ask('POST', `${base}/file/move`, { from: path, to: 'taken.txt' }),
          await ask('POST', `${base}/file/move`, { from: 'src/a.ts', to: path }),
        );
      for (const [index, { status, text }] of answers.entries()) {
        expect([path, index, status]).toEqual([path, index, 400]);
        expect(text).not.toContain('secret\n');
      }
    }
    expect(everything()).toBe(before);
  });

  it('stay untouched when a link to them is moved or deleted', async () => {
    const secret = join(outside, 'secret.txt');
    expect((await ask('POST', `${base}/file/move`, { from: 'link.txt', to: 'moved.txt' })).status).toBe(200);
    expect((await ask('DELETE', `${base}/file?path=moved.txt`)).status).toBe(200);
    expect([readFileSync(secret, 'utf8'), readdirSync(server.folder).includes('moved.txt')]).toEqual([
      'secret\n',
      false,
    ]);
  });

  it('reach only their own draft, because a path is only a key there', async () => {
    for (const path of escapingPaths().filter((way) => !way.includes('\0'))) {
      const url = `${base}/file/draft?path=${encodeURIComponent(path)}`;
      const before = everything();
      await ask('PUT', url, { text: 'mine', etag: 'e', replaces: null });
      expect(everything()).toBe(before);
    }
    const kept = `${realpathSync(server.folder)}-drafts`;
    expect(readdirSync(kept).every((name) => /^[0-9a-f]{64}\.json$/.test(name))).toBe(true);
  });

  it('are not searched, whatever the globs', async () => {
    for (const globs of [undefined, ['../**'], ['away/**'], ['/**'], ['root/**'], ['--files'], ['!src/**']]) {
      const { text } = await ask('POST', `${base}/grep`, { query: 'secret', ...(globs && { globs }) });
      expect(text).not.toContain('secret.txt');
      expect(text).not.toContain('"path"');
    }
    const { text } = await ask('POST', `${base}/grep`, { query: 'of git' });
    expect(text).not.toContain('"path"');
  });

  it.each(['../../x', '..', '/', 'none', 'a/b', '%2e%2e', 'a\0b', '__proto__', 'constructor'])(
    'are not reached through a worktree called %j',
    async (worktreeId) => {
      const query = `path=src/a.ts&worktreeId=${encodeURIComponent(worktreeId)}`;
      const body = { worktreeId };
      const answers = [
        await ask('GET', `${base}/tree?${query}`),
        await ask('GET', `${base}/file?${query}`),
        await ask('PUT', `${base}/file?${query}`, { content: 'x' }, { 'if-none-match': '*' }),
        await ask('DELETE', `${base}/file?${query}`),
        await ask('GET', `${base}/file/draft?${query}`),
        await ask('PUT', `${base}/file/draft?${query}`, { text: 'x', etag: 'e', replaces: null }),
        await ask('POST', `${base}/file/move`, { ...body, from: 'src/a.ts', to: 'b.ts' }),
        await ask('POST', `${base}/file/undo`, { ...body, undoId: 'x'.repeat(36) }),
        await ask('POST', `${base}/grep`, { ...body, query: 'inside' }),
        await ask('POST', `${base}/terminals`, body),
      ];
      for (const { status } of answers) expect([400, 404]).toContain(status);
      expect(readFileSync(join(server.folder, 'src/a.ts'), 'utf8')).toBe('inside\n');
    },
  );

  it.each(['../../../x', '/etc/cron.d/x', '..', '.ssh/../x', 'a\u202Egnp.exe', 'con', 'x'.repeat(300), '\n', 'a/b\\c'])(
    'are not written to by an attached file called %j',
    async (name) => {
      const before = everything();
      const { status, text } = await ask('POST', `${base}/attachments`, { name, data: 'eA==' });
      expect(everything()).toBe(before);
      if (status !== 201) return expect(status).toBe(400);
      const { path } = JSON.parse(text) as { path: string };
      expect(dirname(dirname(path))).toBe(`${server.folder}-attachments`);
      expect(path).toMatch(/^[\p{L}\p{N}._ /-]+$/u);
      return undefined;
    },
  );

  it.each([
    '../',
    '/etc',
    'x'.repeat(36),
    '..%2f..%2f..%2fetc%2fpasswd_________',
    '../../../../../../etc/passwd________',
  ])('are not restored by an undo called %j', async (undoId) => {
    const before = everything();
    expect([400, 404]).toContain((await ask('POST', `${base}/file/undo`, { undoId })).status);
    expect(everything()).toBe(before);
  });
});
