import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { got } from './git.contract.ts';
import { createGit } from './real-git.ts';
import { createTestRepository, type TestRepository } from './testing/test-repository.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = createTestRepository();
  repository.put('a.txt', 'one\n');
  repository.commit();
});
afterEach(() => repository.cleanup());

const open = async () => got(await createGit().open(repository.dir));
const usual = { context: 3, whitespace: 'show', full: false } as const;
const contentOf = (tree: string, path: string) => repository.git('cat-file', 'blob', `${tree}:${path}`);

describe('odd repositories', () => {
  it('RV-7 CP-1: records and compares a folder while another process holds the index lock', async () => {
    repository.put('a.txt', 'two\n');
    repository.put('.git/index.lock', '');
    const tree = await open();
    const { snapshot } = got(await tree.keep('turn/one'));
    const { state, entries } = got(await tree.changes({ kind: 'uncommitted' }));
    expect([contentOf(snapshot.tree, 'a.txt'), state.isLocked, entries.length]).toEqual(['two\n', true, 1]);
    expect(existsSync(join(repository.dir, '.git/index.lock'))).toBe(true);
  });

  it('CP-1: records a split index completely and leaves it unchanged', async () => {
    repository.put('b.txt', 'b\n');
    repository.git('update-index', '--split-index');
    repository.git('add', 'b.txt');
    repository.put('a.txt', 'two\n');
    const before = repository.git('ls-files', '--stage');
    const { snapshot } = got(await (await open()).keep('turn/one'));
    expect([contentOf(snapshot.tree, 'a.txt'), contentOf(snapshot.tree, 'b.txt')]).toEqual(['two\n', 'b\n']);
    expect(repository.git('ls-files', '--stage')).toBe(before);
  });

  it('CP-1: leaves out pipes and empty folders without blocking on them', async () => {
    execFileSync('mkfifo', [join(repository.dir, 'pipe')]);
    mkdirSync(join(repository.dir, 'empty'));
    repository.put('a.txt', 'two\n');
    const { snapshot } = got(await (await open()).keep('turn/one'));
    expect(repository.git('ls-tree', '-r', '--name-only', snapshot.tree)).toBe('a.txt\n');
    expect(contentOf(snapshot.tree, 'a.txt')).toBe('two\n');
  });

  it('RV-7: names an unfinished rebase, marks its conflict, and discards nothing meanwhile', async () => {
    repository.git('switch', '--quiet', '--create', 'topic');
    repository.put('a.txt', 'topic\n');
    repository.commit();
    repository.git('switch', '--quiet', 'main');
    repository.put('a.txt', 'main\n');
    repository.commit();
    repository.git('switch', '--quiet', 'topic');
    expect(() => repository.git('rebase', 'main')).toThrow();
    const tree = await open();
    const { state, entries } = got(await tree.changes({ kind: 'uncommitted' }));
    expect([state.operation, entries.map(({ change }) => change)]).toEqual(['rebase', ['conflicted']]);
    const discarded = await tree.discard({ paths: ['a.txt'], hunks: [] }, 'uncommitted', 'undo/one', async () => {});
    expect(discarded.ok ? null : discarded.failure.code).toBe('GIT_BUSY');
    repository.git('rebase', '--abort');
    expect(repository.read('a.txt')).toBe('topic\n');
  });

  it('RV-2 RV-7: shows only the changed line of a renamed file with converted line endings', async () => {
    repository.git('config', 'core.autocrlf', 'true');
    const lines = Array.from({ length: 20 }, (_, place) => `line ${place}\r\n`);
    repository.put('old.txt', lines.join(''));
    repository.commit();
    repository.remove('old.txt');
    repository.put('deep/new.txt', lines.with(7, 'changed\r\n').join(''));
    const tree = await open();
    const { entries } = got(await tree.changes({ kind: 'uncommitted' }));
    expect(entries).toMatchObject([
      { path: 'deep/new.txt', oldPath: 'old.txt', change: 'renamed', additions: 1, deletions: 1 },
    ]);
    const { patch } = got(await tree.patch({ kind: 'uncommitted' }, 'deep/new.txt', usual));
    expect(patch).toContain('rename from old.txt\nrename to deep/new.txt\n');
    expect(patch).toContain('-line 7\n+changed\n');
  });

  it('G-1 RV-7: runs only the filters of a trusted repository, and no hook, monitor, driver or other program', async () => {
    const marked = (name: string): string => {
      repository.put(`.git/evil/${name}`, `#!/bin/sh\ntouch ${repository.dir}/.git/evil/ran-${name}\ncat\n`, 0o755);
      return join(repository.dir, '.git/evil', name);
    };
    repository.put('.gitattributes', '*.txt filter=own diff=own merge=own\n');
    repository.commit();
    for (const [key, value] of [
      ['core.fsmonitor', marked('fsmonitor')],
      ['core.pager', marked('pager')],
      ['core.sshCommand', marked('ssh')],
      ['core.gitProxy', marked('proxy')],
      ['core.alternateRefsCommand', marked('alternates')],
      ['credential.helper', marked('credential')],
      ['diff.external', marked('external')],
      ['diff.own.textconv', marked('textconv')],
      ['diff.own.command', marked('diff-command')],
      ['filter.own.clean', marked('clean')],
      ['gpg.program', marked('gpg')],
      ['commit.gpgSign', 'true'],
    ] as const)
      repository.git('config', key, value);
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit']) {
      repository.put(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${repository.dir}/.git/evil/ran-${hook}\n`);
      chmodSync(join(repository.dir, '.git/hooks', hook), 0o755);
    }
    repository.put('a.txt', 'two\n');
    repository.put('new.txt', 'new\n');
    const tree = await open();
    for (const kind of ['uncommitted', 'staged', 'unstaged', 'base'] as const) got(await tree.changes({ kind }));
    got(await tree.patch({ kind: 'uncommitted' }, 'a.txt', usual));
    const { snapshot } = got(await tree.keep('turn/one'));
    got(await tree.include(snapshot, ['a.txt'], 'all'));
    got(await tree.stage({ paths: ['a.txt'], hunks: [] }));
    got(await tree.unstage({ paths: ['a.txt'], hunks: [] }));
    const plan = tree.discard({ paths: ['a.txt'], hunks: [] }, 'uncommitted', 'undo/one', async () => {});
    got(await plan);
    const ran = execFileSync('ls', [join(repository.dir, '.git/evil')], { encoding: 'utf8' }).match(/ran-\S+/g);
    expect(ran).toEqual(['ran-clean']);
  });
});
