import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedFileReply, Project } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathText } from '../../git/path-text.ts';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type Loose, type TestServer } from '../../testing/test-server.ts';

let repository: TestRepository;
let server: TestServer;
let url: string;

const lines = (changed: Record<number, string> = {}) =>
  Array.from({ length: 40 }, (_, line) => `${changed[line] ?? `line ${line}`}\n`).join('');

beforeEach(async () => {
  repository = createTestRepository();
  repository.put('a.txt', lines());
  repository.put('b.txt', 'b\n');
  repository.commit('first');
  server = await startTestServer({ folder: repository.dir });
  url = `/api/session/${await server.newSession()}`;
  const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
  await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

const post = <Body = Loose>(action: string, body: object) => server.call<Body>('POST', `${url}/${action}`, body);
const shown = async (scope: string, path: string) =>
  (await server.call<ChangedFileReply>('GET', `${url}/changes/file?scope=${scope}&path=${path}`)).body;
const status = () => repository.git('status', '--porcelain');
const hunkOf = ({ path, oldId, newId }: ChangedFileReply, hunk: number) => ({ path, oldId, newId, hunk });

describe('staging', () => {
  it('RV-6: stages and unstages files, new, deleted and renamed ones too, and nothing else', async () => {
    repository.put('a.txt', lines({ 5: 'five' }));
    repository.put('new.txt', 'x\n');
    unlinkSync(join(repository.dir, 'b.txt'));
    repository.put('c.txt', 'b\n');
    expect((await post('stage', { paths: ['new.txt', 'c.txt'] })).status).toBe(200);
    expect(status().split('\n').filter(Boolean).toSorted()).toEqual([' M a.txt', 'A  new.txt', 'R  b.txt -> c.txt']);
    expect((await post('unstage', { paths: ['new.txt', 'c.txt'] })).status).toBe(200);
    expect(status().split('\n').filter(Boolean).toSorted()).toEqual([' D b.txt', ' M a.txt', '?? c.txt', '?? new.txt']);
  });

  it('RV-6: stages one hunk of a file and unstages it again', async () => {
    repository.put('a.txt', lines({ 5: 'five', 30: 'thirty' }));
    const file = await shown('unstaged', 'a.txt');
    expect(file.hunks).toHaveLength(2);
    expect((await post('stage', { hunks: [hunkOf(file, 1)] })).body).toEqual({ files: ['a.txt'] });
    expect(repository.git('diff', '--cached')).toContain('+thirty');
    expect(repository.git('diff', '--cached')).not.toContain('+five');
    const staged = await shown('staged', 'a.txt');
    await post('unstage', { hunks: [hunkOf(staged, 0)] });
    expect(repository.git('diff', '--cached')).toBe('');
    expect(repository.read('a.txt')).toBe(lines({ 5: 'five', 30: 'thirty' }));
  });

  it('RV-6: rejects changes made since they were shown, and touches nothing', async () => {
    repository.put('a.txt', lines({ 5: 'five' }));
    const file = await shown('unstaged', 'a.txt');
    repository.put('a.txt', `eight\n${lines({ 5: 'five' })}`);
    for (const action of ['stage', 'discard']) {
      const { status: code, body } = await post(action, { hunks: [hunkOf(file, 0)] });
      expect([code, body.error.code]).toEqual([409, 'STALE']);
    }
    expect(status()).toBe(' M a.txt\n');
    for (const path of ['../x', '.git/config', 'a/../b']) {
      expect((await post('stage', { paths: [path] })).body.error.code).toBe('PATH_REFUSED');
    }
    expect((await post('stage', {})).status).toBe(400);
  });

  it('RV-6: refuses a hunk that was shown without whitespace, because it has another number in the full patch', async () => {
    const edited = lines({ 5: '  line 5', 20: 'twenty', 35: 'thirty-five' });
    repository.put('a.txt', edited);
    const query = 'scope=unstaged&path=a.txt&whitespace=ignore';
    const { body: file } = await server.call<ChangedFileReply>('GET', `${url}/changes/file?${query}`);
    expect(file.hunks).toHaveLength(2);
    for (const action of ['stage', 'unstage', 'discard']) {
      const { status: code, body } = await post(action, { hunks: [{ ...hunkOf(file, 0), whitespace: 'ignore' }] });
      expect([code, body.error.code]).toEqual([409, 'NOT_SUPPORTED']);
    }
    expect([repository.read('a.txt'), repository.git('diff', '--cached')]).toEqual([edited, '']);
  });

  it('RV-6: waits for a lock and never deletes it', async () => {
    repository.put('a.txt', lines({ 5: 'five' }));
    repository.put('.git/index.lock', '');
    const { body } = await post('stage', { paths: ['a.txt'] });
    expect([body.error.code, statSync(join(repository.dir, '.git/index.lock')).size]).toEqual(['GIT_BUSY', 0]);
  });
});

describe('discarding', () => {
  it('RV-6 G-4: restores files from the index, deletes new ones, and undo restores every byte and mode', async () => {
    repository.git('config', 'core.autocrlf', 'true');
    repository.put('a.txt', 'mixed\r\nline\nends\r\n');
    repository.put('secret.env', 'KEY=1\n', 0o600);
    symlinkSync('a.txt', join(repository.dir, 'link'));
    unlinkSync(join(repository.dir, 'b.txt'));
    const { body } = await post<{ files: string[]; undoId: string }>('discard', {
      paths: ['a.txt', 'b.txt', 'secret.env', 'link'],
    });
    expect(body.files).toHaveLength(4);
    expect(status()).toBe('');
    repository.git('gc', '--quiet', '--prune=now');
    expect((await post('undo', { undoId: body.undoId })).status).toBe(200);
    expect(readFileSync(join(repository.dir, 'a.txt')).toString()).toBe('mixed\r\nline\nends\r\n');
    expect(statSync(join(repository.dir, 'secret.env')).mode & 0o777).toBe(0o600);
    expect(status().split('\n').filter(Boolean).toSorted()).toEqual([
      ' D b.txt',
      ' M a.txt',
      '?? link',
      '?? secret.env',
    ]);
  });

  it('RV-6 G-4: restores a file in a folder whose name isn’t UTF-8, and undo restores its content', async () => {
    const folder = Buffer.concat([Buffer.from(`${repository.dir}/caf`), Buffer.of(0xe9)]);
    const file = Buffer.concat([folder, Buffer.from('/a.txt')]);
    mkdirSync(folder);
    writeFileSync(file, 'committed\n');
    repository.commit();
    writeFileSync(file, 'changed\n');
    const path = pathText(Buffer.concat([Buffer.from('caf'), Buffer.of(0xe9), Buffer.from('/a.txt')]));
    const { body } = await post<{ undoId: string }>('discard', { paths: [path] });
    expect([readFileSync(file, 'utf8'), status()]).toEqual(['committed\n', '']);
    expect((await post('undo', { undoId: body.undoId })).status).toBe(200);
    expect(readFileSync(file, 'utf8')).toBe('changed\n');
  });

  it('RV-6: discards one hunk and keeps the other', async () => {
    repository.put('a.txt', lines({ 5: 'five', 30: 'thirty' }), 0o755);
    chmodSync(join(repository.dir, 'a.txt'), 0o755);
    const file = await shown('unstaged', 'a.txt');
    await post('discard', { hunks: [hunkOf(file, 0)] });
    expect(repository.read('a.txt')).toBe(lines({ 30: 'thirty' }));
    expect(statSync(join(repository.dir, 'a.txt')).mode & 0o111).toBe(0o111);
  });

  it.each(['unstaged', 'uncommitted'])('RV-6: leaves a file with a conflict after a stash, scope %s', async (scope) => {
    repository.put('b.txt', 'stashed\n');
    repository.git('stash', '--quiet');
    repository.put('b.txt', 'committed\n');
    repository.commit();
    expect(() => repository.git('stash', 'pop')).toThrow();
    const [content, stages] = [repository.read('b.txt'), repository.git('ls-files', '--unmerged')];
    repository.put('a.txt', 'mine\n');
    const { status: code, body } = await post('discard', { paths: ['a.txt', 'b.txt'], scope });
    expect([code, body.error]).toMatchObject([409, { code: 'CONFLICT', details: { files: ['b.txt'] } }]);
    expect([repository.read('b.txt'), repository.git('ls-files', '--unmerged')]).toEqual([content, stages]);
    expect(repository.read('a.txt')).toBe('mine\n');
  });

  it('RV-6 G-4: restores files and index from the commit on request; refuses an undo over later work', async () => {
    repository.put('a.txt', lines({ 5: 'five' }));
    repository.git('add', 'a.txt');
    const { body } = await post<{ undoId: string }>('discard', { paths: ['a.txt'], scope: 'uncommitted' });
    expect(status()).toBe('');
    await post('undo', { undoId: body.undoId });
    expect(status()).toBe('M  a.txt\n');
    repository.put('a.txt', 'later work\n');
    expect((await post('undo', { undoId: body.undoId })).body.error.code).toBe('STALE');
    expect(repository.read('a.txt')).toBe('later work\n');
    expect((await post('undo', { undoId: 'none' })).body.error.code).toBe('CHECKPOINT_NOT_FOUND');
  });
});

describe('committing', () => {
  it('RV-6: commits the index as it is, some files, or everything, and amends', async () => {
    repository.put('a.txt', lines({ 5: 'five' }));
    repository.put('b.txt', 'changed\n');
    repository.put('new.txt', 'x\n');
    expect((await post('commit', { message: 'none' })).body.error.code).toBe('NOTHING_TO_COMMIT');
    repository.git('add', 'b.txt');
    const { body } = await post<{ commit: string; output: string }>('commit', { message: 'Only a', paths: ['a.txt'] });
    expect([body.commit, repository.git('log', '-1', '--format=%s').trim()]).toEqual([
      repository.git('rev-parse', 'HEAD').trim(),
      'Only a',
    ]);
    expect(status()).toBe('M  b.txt\n?? new.txt\n');
    await post('commit', { message: 'The index' });
    expect(status()).toBe('?? new.txt\n');
    await post('commit', { message: 'Everything', all: true });
    expect(status()).toBe('');
    await post('commit', { message: 'Everything, better', amend: true });
    expect(repository.git('log', '--format=%s').trim().split('\n')).toEqual([
      'Everything, better',
      'The index',
      'Only a',
      'first',
    ]);
    expect((await post('commit', { message: '  ' })).status).toBe(400);
  });

  it("RV-6: runs the repository's hooks, shows their output, and can skip them", async () => {
    repository.put('.git/hooks/pre-commit', '#!/bin/sh\necho "lint: a.txt is wrong" >&2\nexit 1\n', 0o755);
    repository.put('a.txt', lines({ 5: 'five' }));
    const refused = await post('commit', { message: 'x', all: true });
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'HOOK_FAILED', details: { hook: 'pre-commit', output: expect.stringContaining('lint: a.txt is wrong') } },
    ]);
    expect(repository.git('rev-list', '--count', 'HEAD').trim()).toBe('1');
    expect((await post('commit', { message: 'x', all: true, skipHooks: true })).status).toBe(200);
  });

  it('RV-6: rejects a commit with conflicts, and everything in an untrusted folder', async () => {
    repository.git('switch', '--quiet', '--create', 'other');
    repository.put('b.txt', 'other\n');
    repository.commit();
    repository.git('switch', '--quiet', 'main');
    repository.put('b.txt', 'main\n');
    repository.commit();
    expect(() => repository.git('merge', 'other')).toThrow();
    expect((await post('commit', { message: 'x' })).body.error).toMatchObject({
      code: 'CONFLICT',
      details: { files: ['b.txt'] },
    });
    expect((await post('discard', { paths: ['b.txt'] })).body.error.code).toBe('GIT_BUSY');
    const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
    await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: false });
    for (const action of ['stage', 'unstage', 'discard']) {
      expect((await post(action, { paths: ['b.txt'] })).body.error.code).toBe('PROJECT_NOT_TRUSTED');
    }
    expect((await post('commit', { message: 'x' })).body.error.code).toBe('PROJECT_NOT_TRUSTED');
  });
});
