import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Comparison, Git, WorkingTree } from './git.ts';
import { createTestRepository, type TestRepository } from './testing/test-repository.ts';

const usual = { context: 3, whitespace: 'show', full: false } as const;

export function got<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

/** The behaviour that every implementation of the port must have. */
export function gitContract(create: () => Git): void {
  let repository: TestRepository;
  let tree: WorkingTree;
  beforeEach(async () => {
    repository = createTestRepository();
    repository.put('a.txt', 'one\ntwo\nthree\n');
    repository.put('src/b.ts', 'const b = 1;\n');
    repository.commit('first');
    tree = got(await create().open(repository.dir));
  });
  afterEach(() => repository.cleanup());

  const listed = async (comparison: Comparison) =>
    got(await tree.changes(comparison)).entries.map(
      ({ path, change, staged, additions, deletions }) => [path, change, staged, additions, deletions] as const,
    );
  const patchOf = async (comparison: Comparison, path: string, options = {}) =>
    got(await tree.patch(comparison, path, { ...usual, ...options }));

  describe('changes of the working tree', () => {
    it('RV-1: lists every difference from the last commit, tracked or not, whoever made it', async () => {
      repository.put('a.txt', 'one\n2\nthree\n');
      repository.put('new.txt', 'x\n');
      repository.remove('src/b.ts');
      expect(await listed({ kind: 'uncommitted' })).toEqual([
        ['a.txt', 'modified', 'no', 1, 1],
        ['new.txt', 'added', 'no', 1, 0],
        ['src/b.ts', 'deleted', 'no', 0, 1],
      ]);
    });

    it('RV-1: distinguishes staged, partly staged and unstaged', async () => {
      repository.put('a.txt', 'one\n2\nthree\n');
      repository.git('add', 'a.txt');
      repository.put('a.txt', 'one\n2\n3\n');
      repository.put('src/b.ts', 'const b = 2;\n');
      repository.git('add', 'src/b.ts');
      expect(await listed({ kind: 'uncommitted' })).toEqual([
        ['a.txt', 'modified', 'partly', 2, 2],
        ['src/b.ts', 'modified', 'yes', 1, 1],
      ]);
      expect((await listed({ kind: 'staged' })).map(([path]) => path)).toEqual(['a.txt', 'src/b.ts']);
      expect((await listed({ kind: 'unstaged' })).map(([path]) => path)).toEqual(['a.txt']);
      expect((await patchOf({ kind: 'staged' }, 'a.txt')).patch).toContain('+2\n');
      expect((await patchOf({ kind: 'unstaged' }, 'a.txt')).patch).toContain('-three\n+3\n');
    });

    it('RV-1: compares with the commit where the branch diverged from its base', async () => {
      repository.git('switch', '--quiet', '--create', 'topic');
      repository.put('topic.txt', 't\n');
      repository.commit('topic');
      repository.put('a.txt', 'one\n2\nthree\n');
      const { base, entries } = got(await tree.changes({ kind: 'base' }));
      expect([base, entries.map(({ path }) => path)]).toEqual(['main', ['a.txt', 'topic.txt']]);
      const missing = await tree.changes({ kind: 'base', base: '--output=x' });
      expect(missing.ok ? null : missing.failure.code).toBe('INVALID_REQUEST');
    });

    it('RV-2: finds a rename, and names both sides in its patch', async () => {
      repository.git('mv', 'a.txt', 'c.txt');
      const [entry] = got(await tree.changes({ kind: 'uncommitted' })).entries;
      expect(entry).toMatchObject({ path: 'c.txt', oldPath: 'a.txt', change: 'renamed', staged: 'yes' });
      expect((await patchOf({ kind: 'uncommitted' }, 'c.txt')).patch).toContain('rename from a.txt\nrename to c.txt\n');
    });

    it('RV-2: reads the file when its patch is requested, not as it was listed', async () => {
      repository.put('a.txt', 'one\n2\nthree\n');
      await listed({ kind: 'uncommitted' });
      repository.put('a.txt', 'one\nII\nthree\n');
      const { patch, hunks, oldId, newId } = await patchOf({ kind: 'uncommitted' }, 'a.txt');
      expect(patch).toContain('-two\n+II\n');
      expect(hunks).toEqual([{ hunk: 0, oldStart: 1, oldLines: 3, newStart: 1, newLines: 3 }]);
      expect(repository.git('cat-file', '-p', oldId ?? '')).toBe('one\ntwo\nthree\n');
      expect(newId).toBe(repository.git('hash-object', 'a.txt').trim());
    });

    it('RV-3: ignores whitespace and shows more context on request', async () => {
      repository.put('long.txt', Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join(''));
      repository.commit();
      repository.put(
        'long.txt',
        Array.from({ length: 40 }, (_, line) => `${line === 20 ? '  ' : ''}line ${line}\n`).join(''),
      );
      const comparison = { kind: 'uncommitted' } as const;
      expect((await patchOf(comparison, 'long.txt', { whitespace: 'ignore' })).hunks).toEqual([]);
      expect((await patchOf(comparison, 'long.txt', { context: 100 })).hunks[0]?.oldLines).toBe(40);
      expect((await patchOf(comparison, 'long.txt')).hunks[0]?.oldLines).toBe(7);
    });

    it("leaves the user's index, HEAD, branches and log unchanged", async () => {
      repository.put('a.txt', 'one\n2\nthree\n');
      repository.git('add', 'a.txt');
      repository.put('new.txt', 'x\n');
      const look = () => [
        repository.git('ls-files', '--stage'),
        repository.git('status', '--porcelain'),
        repository.git('log', '--all', '--format=%H'),
        repository.git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'),
      ];
      const before = look();
      await listed({ kind: 'uncommitted' });
      got(await tree.snapshot());
      expect(look()).toEqual(before);
    });
  });

  describe('odd files', () => {
    it('RV-7: shows binary files, links and mode changes as such', async () => {
      repository.put('pic.bin', Buffer.from([0, 1, 2, 3]));
      repository.put('run.sh', 'echo\n');
      repository.commit();
      repository.put('pic.bin', Buffer.from([0, 1, 2, 4]));
      repository.put('run.sh', 'echo\n', 0o755);
      symlinkSync('/etc/passwd', join(repository.dir, 'link'));
      const { entries } = got(await tree.changes({ kind: 'uncommitted' }));
      expect(entries.map(({ path, binary, newMode }) => [path, binary, newMode])).toEqual([
        ['link', false, '120000'],
        ['pic.bin', true, '100644'],
        ['run.sh', false, '100755'],
      ]);
      expect(await patchOf({ kind: 'uncommitted' }, 'pic.bin')).toMatchObject({ binary: true, newSize: 4 });
      expect((await patchOf({ kind: 'uncommitted' }, 'link')).patch).toContain('+/etc/passwd\n\\ No newline');
      expect((await patchOf({ kind: 'uncommitted' }, 'run.sh')).patch).toContain('old mode 100644\nnew mode 100755\n');
    });

    it('RV-7: lists a folder that became a link as deleted files, and reads nothing behind the link', async () => {
      const outside = createTestRepository({ init: false });
      outside.put('b.ts', 'a secret\n');
      repository.remove('src');
      symlinkSync(outside.dir, join(repository.dir, 'src'));
      expect((await listed({ kind: 'uncommitted' })).map(([path, change]) => [path, change])).toEqual([
        ['src', 'added'],
        ['src/b.ts', 'deleted'],
      ]);
      expect((await patchOf({ kind: 'uncommitted' }, 'src/b.ts')).patch).not.toContain('secret');
      outside.cleanup();
    });

    it('RV-7: keeps names that aren’t UTF-8, contain a newline or look like an option', async () => {
      const names = [Buffer.from('-rf'), Buffer.from('a\nb'), Buffer.from([0xff, 0x2e, 0x74]), Buffer.from(':(glob)*')];
      for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${repository.dir}/`), name]), 'odd\n');
      const { entries } = got(await tree.changes({ kind: 'uncommitted' }));
      expect(entries).toHaveLength(4);
      for (const { path } of entries) expect((await patchOf({ kind: 'uncommitted' }, path)).patch).toContain('+odd\n');
    });

    it('RV-7: reports that a file vanished instead of failing', async () => {
      repository.put('new.txt', 'x\n');
      await listed({ kind: 'uncommitted' });
      rmSync(join(repository.dir, 'new.txt'));
      const gone = await tree.patch({ kind: 'uncommitted' }, 'new.txt', usual);
      expect(gone.ok ? gone.value.newId : gone.failure.code).toBe('FILE_NOT_FOUND');
    });

    it('RV-7: does not show converted line endings as changes of every line', async () => {
      repository.git('config', 'core.autocrlf', 'true');
      repository.put('crlf.txt', 'one\r\ntwo\r\nthree\r\n');
      repository.commit();
      repository.put('crlf.txt', 'one\r\n2\r\nthree\r\n');
      expect(await listed({ kind: 'uncommitted' })).toEqual([['crlf.txt', 'modified', 'no', 1, 1]]);
      expect((await patchOf({ kind: 'uncommitted' }, 'crlf.txt')).hunks).toHaveLength(1);
    });

    it('returns no patch beyond the limit, unless requested', async () => {
      repository.put('large.txt', 'line\n'.repeat(30_000));
      expect(await patchOf({ kind: 'uncommitted' }, 'large.txt')).toMatchObject({ tooLarge: true, hunks: [] });
      const full = await patchOf({ kind: 'uncommitted' }, 'large.txt', { full: true });
      expect([full.tooLarge, full.hunks[0]?.newLines]).toEqual([false, 30_000]);
    });
  });

  describe('odd repositories', () => {
    it('RV-7: works before the first commit', async () => {
      const empty = createTestRepository();
      empty.put('a.txt', 'one\n');
      const { state, entries } = got(await got(await create().open(empty.dir)).changes({ kind: 'uncommitted' }));
      expect([state.head, state.branch, entries.map(({ path, change }) => [path, change])]).toEqual([
        null,
        'main',
        [['a.txt', 'added']],
      ]);
      empty.cleanup();
    });

    it('RV-7: refuses a folder without a repository, and one whose settings lead elsewhere', async () => {
      const plain = createTestRepository({ init: false });
      const opened = await create().open(plain.dir);
      expect(opened.ok ? null : opened.failure.code).toBe('NOT_A_REPOSITORY');
      repository.git('config', 'core.worktree', plain.dir);
      const led = await create().open(repository.dir);
      expect(led.ok ? null : led.failure).toMatchObject({
        code: 'NOT_A_REPOSITORY',
        message: expect.stringContaining('core.worktree'),
      });
      plain.cleanup();
    });

    it('RV-7: marks the conflicts of an unfinished merge, and keeps working during it', async () => {
      repository.git('switch', '--quiet', '--create', 'other');
      repository.put('a.txt', 'one\nother\nthree\n');
      repository.commit();
      repository.git('switch', '--quiet', 'main');
      repository.put('a.txt', 'one\nmain\nthree\n');
      repository.commit();
      expect(() => repository.git('merge', 'other')).toThrow();
      const { state, entries } = got(await tree.changes({ kind: 'uncommitted' }));
      expect([state.operation, entries.map(({ path, change }) => [path, change])]).toEqual([
        'merge',
        [['a.txt', 'conflicted']],
      ]);
      expect((await patchOf({ kind: 'unstaged' }, 'a.txt')).patch).toContain('+<<<<<<<');
      expect(repository.git('ls-files', '--unmerged').trim().split('\n')).toHaveLength(3);
    });

    it('RV-7: lists nested repositories, and shows a submodule as its commit', async () => {
      const module = createTestRepository();
      module.put('m.txt', 'm\n');
      module.commit();
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module.dir, 'module');
      repository.commit();
      mkdirSync(join(repository.dir, 'nested'));
      repository.git('init', '--quiet', 'nested');
      repository.put('nested/x.txt', 'x\n');
      repository.git(
        '-C',
        'module',
        '-c',
        'user.name=x',
        '-c',
        'user.email=x@y',
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        'm2',
      );
      const { entries, nested } = got(await tree.changes({ kind: 'uncommitted' }));
      expect([nested, entries.map(({ path, newMode }) => [path, newMode])]).toEqual([
        ['nested'],
        [['module', '160000']],
      ]);
      expect((await patchOf({ kind: 'uncommitted' }, 'module')).patch).toMatch(/-Subproject commit \w+\n\+Subproject/);
      module.cleanup();
    });

    it('RV-7: does not list files outside a sparse checkout as deleted', async () => {
      repository.git('sparse-checkout', 'set', '--cone', 'none');
      repository.put('a.txt', 'one\n2\nthree\n');
      const { state, entries } = got(await tree.changes({ kind: 'uncommitted' }));
      expect([state.isSparse, entries.map(({ path }) => path)]).toEqual([true, ['a.txt']]);
    });

    it('sees edits of files that are marked as unchanged in the index', async () => {
      repository.git('update-index', '--assume-unchanged', 'a.txt');
      repository.git('update-index', '--skip-worktree', 'src/b.ts');
      repository.put('a.txt', 'changed\n');
      repository.put('src/b.ts', 'changed\n');
      expect((await listed({ kind: 'uncommitted' })).map(([path]) => path)).toEqual(['a.txt', 'src/b.ts']);
    });

    it('G-1: lists only files below the project folder, with paths relative to it', async () => {
      repository.put('src/b.ts', 'const b = 2;\n');
      repository.put('a.txt', 'changed\n');
      repository.put('outside.txt', 'x\n');
      const below = got(await create().open(join(repository.dir, 'src')));
      const { entries } = got(await below.changes({ kind: 'uncommitted' }));
      expect(entries.map(({ path }) => path)).toEqual(['b.ts']);
      expect(got(await below.patch({ kind: 'uncommitted' }, 'b.ts', usual)).patch).toContain('+const b = 2;\n');
    });

    it('works in a repository whose ids are SHA-256', async () => {
      const other = createTestRepository({ init: false });
      other.git('init', '--quiet', '--object-format=sha256');
      other.put('a.txt', 'one\n');
      const opened = got(await create().open(other.dir));
      const [entry] = got(await opened.changes({ kind: 'uncommitted' })).entries;
      expect(entry?.newId).toHaveLength(64);
      other.cleanup();
    });
  });
}
