import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { got } from '../git.contract.ts';
import { createGit } from '../real-git.ts';
import type { RecordedTree } from './kept-files.ts';
import type { WorkingTree } from '../git.ts';
import { createTestRepository, type TestRepository } from '../testing/test-repository.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = createTestRepository();
  repository.put('a.txt', 'one\n');
});
afterEach(() => repository.cleanup());

const open = async (): Promise<WorkingTree> => got(await createGit().open(repository.dir));
const keep = async (tree: WorkingTree, name = 'turn/one'): Promise<RecordedTree> => got(await tree.keep(name)).snapshot;
/** A recorded file as text with octal permission bits. */
const fileIn = async (tree: WorkingTree, recorded: RecordedTree, path: string) => {
  const file = got(await tree.readKept(recorded, path));
  return file && [file.content.toString('latin1'), (file.mode & 0o7777).toString(8)];
};

describe('what a git tree can’t represent', () => {
  it('CP-1: restores line endings exactly, even mixed ones, after git’s garbage collection', async () => {
    repository.git('config', 'core.autocrlf', 'true');
    repository.put('crlf.txt', 'a\r\nb\r\n');
    repository.put('mixed.txt', 'a\r\nb\nc\r\n');
    repository.commit();
    const tree = await open();
    repository.put('late.txt', 'x\ny\r\n');
    const recorded = await keep(tree);
    repository.git('gc', '--quiet', '--prune=now');
    for (const path of ['crlf.txt', 'mixed.txt', 'late.txt']) {
      expect((await fileIn(tree, recorded, path))?.[0]).toBe(readFileSync(join(repository.dir, path), 'latin1'));
    }
    const listed = got(await tree.changes({ kind: 'uncommitted' })).entries;
    expect(listed.map(({ path, additions }) => [path, additions])).toEqual([['late.txt', 2]]);
  });

  it('CP-1: restores bytes that a filter would change', async () => {
    repository.put('.gitattributes', '*.up filter=up\n*.enc working-tree-encoding=UTF-16LE\n');
    repository.git('config', 'filter.up.clean', 'tr a-z A-Z');
    repository.commit();
    const tree = await open();
    repository.put('x.up', 'lower Upper\n');
    repository.put('y.enc', Buffer.from('text\n', 'utf16le'));
    const recorded = await keep(tree);
    expect(repository.git('cat-file', 'blob', `${recorded.tree}:x.up`)).toBe('LOWER UPPER\n');
    expect((await fileIn(tree, recorded, 'x.up'))?.[0]).toBe('lower Upper\n');
    expect((await fileIn(tree, recorded, 'y.enc'))?.[0]).toBe(Buffer.from('text\n', 'utf16le').toString('latin1'));
  });

  it('CP-1: keeps all permission bits, of changed and unchanged files', async () => {
    repository.put('secret.txt', 'x\n', 0o600);
    repository.put('run.sh', '#!/bin/sh\n', 0o750);
    repository.commit();
    const tree = await open();
    const first = await keep(tree);
    const bits = async (recorded: RecordedTree) =>
      Promise.all(['secret.txt', 'run.sh', 'a.txt'].map(async (path) => (await fileIn(tree, recorded, path))?.[1]));
    const usual = (statSync(join(repository.dir, 'a.txt')).mode & 0o777).toString(8);
    expect(await bits(first)).toEqual(['600', '750', usual]);
    // Git compares times by the second, so it can't see a mode change within the second of the last record.
    const secondOf = (path: string) => Math.floor(statSync(join(repository.dir, path)).mtimeMs / 1000);
    const recorded = secondOf('.git/liminal/index');
    // A file tells the time of its file system, which may be a few milliseconds behind.
    const now = () => {
      writeFileSync(join(repository.dir, '.git/now'), '');
      return secondOf('.git/now');
    };
    await expect.poll(now).toBeGreaterThan(recorded);
    chmodSync(join(repository.dir, 'secret.txt'), 0o640);
    chmodSync(join(repository.dir, 'a.txt'), 0o400);
    const second = await keep(tree, 'turn/two');
    expect([await bits(second), await bits(first)]).toEqual([
      ['640', '750', '400'],
      ['600', '750', usual],
    ]);
  });

  it('CP-1: starts over without losses if the server died between the two writes', async () => {
    repository.commit();
    await keep(await open());
    repository.put('a.txt', 'two\n', 0o600);
    const saved = readFileSync(join(repository.dir, '.git/liminal/index.raw.json'));
    await keep(await open(), 'turn/two');
    writeFileSync(join(repository.dir, '.git/liminal/index.raw.json'), saved);
    const tree = await open();
    expect(await fileIn(tree, await keep(tree, 'turn/three'), 'a.txt')).toEqual(['two\n', '600']);
  });

  it('CP-1: records an ignored file, with bytes and permission bits, only where it is named', async () => {
    repository.put('.gitignore', '.env\n*.log\n');
    repository.put('.env', 'KEY=1\n', 0o600);
    repository.put('other.log', 'x\n');
    repository.commit();
    const tree = await open();
    const before = await keep(tree);
    const paths = ['.env', 'a.txt', 'gone.txt'];
    const named = got(await tree.include(before, paths, 'ignored'));
    expect(await fileIn(tree, named, '.env')).toEqual(['KEY=1\n', '600']);
    expect(repository.git('ls-tree', '--name-only', named.tree).trim().split('\n')).toEqual([
      '.env',
      '.gitignore',
      'a.txt',
    ]);
    repository.put('.env', 'KEY=2\n');
    const after = got(await tree.include(await keep(tree, 'turn/two'), paths, 'all'));
    const listed = got(await tree.changes({ kind: 'trees', from: named.tree, to: after.tree })).entries;
    expect(listed.map(({ path, change }) => [path, change])).toEqual([['.env', 'modified']]);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('CP-1: detects an edit hidden by size and time if the file is named', async () => {
    repository.commit();
    const file = join(repository.dir, 'a.txt');
    const old = new Date('2020-01-01T00:00:00Z');
    utimesSync(file, old, old);
    repository.git('config', 'core.trustctime', 'false');
    const tree = await open();
    const before = await keep(tree);
    writeFileSync(file, 'two\n');
    utimesSync(file, old, old);
    const after = got(await tree.include(await keep(tree, 'turn/two'), ['a.txt'], 'all'));
    expect(after.tree).not.toBe(before.tree);
    expect((await fileIn(tree, after, 'a.txt'))?.[0]).toBe('two\n');
  });

  it('CP-1: records a link as a link, and reads nothing behind one that replaced a folder', async () => {
    repository.put('d/x.txt', 'x\n');
    repository.commit();
    const tree = await open();
    symlinkSync('a.txt', join(repository.dir, 'link'));
    const recorded = await keep(tree);
    expect(await fileIn(tree, recorded, 'link')).toEqual(['a.txt', '777']);
    repository.remove('d');
    symlinkSync('/etc', join(repository.dir, 'd'));
    const named = got(await tree.include(recorded, ['d/hostname'], 'all'));
    expect([named.tree, existsSync('/etc')]).toEqual([recorded.tree, true]);
  });
});
