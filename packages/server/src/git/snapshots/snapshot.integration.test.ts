import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { got } from '../git.contract.ts';
import type { GitDeps } from '../real-git.ts';
import { createGit } from '../real-git.ts';
import { createGitRunner, type GitRunner } from '../run-git.ts';
import { createTestRepository, type TestRepository } from '../testing/test-repository.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = createTestRepository();
  repository.put('a.txt', 'one\n');
  repository.commit();
});
afterEach(() => repository.cleanup());

const open = async (deps: GitDeps = {}) => got(await createGit(deps).open(repository.dir));
const filesOf = (tree: string) => repository.git('ls-tree', '-r', '--name-only', tree).trim().split('\n');
const contentOf = (tree: string, path: string) => repository.git('cat-file', 'blob', `${tree}:${path}`);

describe('a snapshot of a folder', () => {
  it('CP-1: detects an edit of the same length within the second of the last git add', async () => {
    for (const text of ['two\n', 'six\n', 'ten\n', 'red\n']) {
      repository.put('a.txt', 'one\n');
      repository.git('add', 'a.txt');
      repository.put('a.txt', text);
      repository.remove('.git/liminal');
      const { tree } = got(await (await open()).snapshot());
      expect(contentOf(tree, 'a.txt')).toBe(text);
    }
  });

  it('CP-1: returns no tree after a failed add', async () => {
    const real = createGitRunner();
    let broken = 0;
    const runner: GitRunner = (run) => {
      if (run.args[0] !== 'update-index') return real(run);
      broken += 1;
      return Promise.resolve(fail('GIT_FAILED', 'no'));
    };
    repository.put('a.txt', 'two\n');
    const taken = await (await open({ runner })).snapshot();
    expect([taken.ok, broken]).toEqual([false, 2]);
    expect(contentOf(got(await (await open()).snapshot()).tree, 'a.txt')).toBe('two\n');
  });

  it('CP-1: lists files beyond the limits by name, and records the rest', async () => {
    const tree = await open({ limits: { untrackedBytes: 100, trackedBytes: 200, totalBytes: 250 } });
    repository.put('large.bin', 'x'.repeat(101));
    repository.put('a.txt', 'y'.repeat(201));
    repository.put('p.txt', 'p'.repeat(90));
    repository.put('q.txt', 'q'.repeat(90));
    repository.put('r.txt', 'r'.repeat(90));
    const { tree: id, notKept } = got(await tree.snapshot());
    expect(notKept.map(({ path }) => path)).toEqual(['a.txt', 'large.bin', 'r.txt']);
    expect([filesOf(id), contentOf(id, 'a.txt')]).toEqual([['a.txt', 'p.txt', 'q.txt'], 'one\n']);
  });

  it('CP-1: follows ignore rules without losing newly ignored files or tracked files that are ignored', async () => {
    const tree = await open();
    repository.put('build/out.txt', 'x\n');
    repository.put('kept.log', 'x\n');
    expect(filesOf(got(await tree.snapshot()).tree)).toEqual(['a.txt', 'build/out.txt', 'kept.log']);
    repository.put('.gitignore', 'build/\n*.log\n');
    repository.git('add', '--force', 'kept.log');
    expect(filesOf(got(await tree.snapshot()).tree)).toEqual(['.gitignore', 'a.txt', 'kept.log']);
    repository.put('late.log', 'x\n');
    repository.git('add', '--force', 'late.log');
    expect(filesOf(got(await tree.snapshot()).tree)).toContain('late.log');
  });

  it('CP-1: records files with line endings that git is set to refuse', async () => {
    repository.git('config', 'core.autocrlf', 'input');
    repository.git('config', 'core.safecrlf', 'true');
    repository.put('.gitignore', '*.log\n');
    repository.put('new.txt', 'new\r\n');
    repository.put('x.log', 'ignored\r\n');
    const tree = await open();
    const whole = got(await tree.include(got(await tree.snapshot()), ['x.log'], 'all'));
    expect(contentOf(whole.tree, 'new.txt') + contentOf(whole.tree, 'x.log')).toBe('new\nignored\n');
    expect(got(await tree.readKept(whole, 'new.txt'))?.content.toString()).toBe('new\r\n');
  });

  it('CP-1: records a file that became a folder and vice versa, despite a lock of a killed server', async () => {
    repository.put('d/x.txt', 'x\n');
    repository.commit();
    await (await open()).snapshot();
    repository.remove('d');
    repository.put('d', 'now a file\n');
    repository.remove('a.txt');
    repository.put('a.txt/y.txt', 'now a folder\n');
    writeFileSync(join(repository.dir, '.git/liminal/index.lock'), '');
    expect(filesOf(got(await (await open()).snapshot()).tree)).toEqual(['a.txt/y.txt', 'd']);
  });

  it('CP-1: recovers from a damaged private index', async () => {
    await (await open()).snapshot();
    writeFileSync(join(repository.dir, '.git/liminal/index'), 'not an index');
    repository.put('a.txt', 'two\n');
    expect(contentOf(got(await (await open()).snapshot()).tree, 'a.txt')).toBe('two\n');
  });

  it('RV-7 CP-1: names a file of 2 GB instead of reading it', async () => {
    repository.put('huge.bin', '');
    truncateSync(join(repository.dir, 'huge.bin'), 2 * 1024 ** 3);
    repository.put('a.txt', 'two\n');
    const { entries, notKept } = got(await (await open()).changes({ kind: 'uncommitted' }));
    expect(entries.map(({ path }) => path)).toEqual(['a.txt']);
    expect(notKept).toEqual([{ path: 'huge.bin', reason: expect.stringContaining('2.0 GB') as string }]);
  });

  it('RV-7: reports that git is missing or too old', async () => {
    const missing = await createGit({ runner: createGitRunner({ command: '/nonexistent/git' }) }).open(repository.dir);
    expect(missing.ok ? null : missing.failure.code).toBe('GIT_MISSING');
    const old = '#!/bin/sh\necho git version 2.17.1\n';
    repository.put('old-git', old, 0o755);
    const tooOld = await createGit({ runner: createGitRunner({ command: join(repository.dir, 'old-git') }) }).open(
      repository.dir,
    );
    expect(tooOld.ok ? null : tooOld.failure).toMatchObject({
      code: 'GIT_MISSING',
      message: expect.stringContaining('2.17 is too old'),
    });
  });

  it('kills a git that takes too long, with everything it started', async () => {
    repository.put('slow-git', '#!/bin/sh\necho $$ > pid\nsleep 600 &\nwait\n', 0o755);
    const runner = createGitRunner({ command: join(repository.dir, 'slow-git') });
    const ran = await runner({ cwd: repository.dir, args: ['status'], timeoutMs: 1_000 });
    expect(ran.ok ? null : ran.failure.message).toContain('took longer');
    const group = repository.read('pid').trim();
    await expect.poll(() => isAlive(-Number(group))).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
