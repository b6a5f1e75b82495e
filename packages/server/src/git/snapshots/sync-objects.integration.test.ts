import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { got } from '../git.contract.ts';
import { createGit } from '../real-git.ts';
import { createGitRunner, type GitRun } from '../run-git.ts';
import { createTestRepository, type TestRepository } from '../testing/test-repository.ts';
import { objectsSince, syncObjects } from './sync-objects.ts';

let repository: TestRepository;
const real = createGitRunner();
beforeEach(() => {
  repository = createTestRepository();
  for (const path of ['a.txt', 'sub/b.txt', 'sub/deep/c.txt', 'other/d.txt']) repository.put(path, `${path}\n`);
  repository.commit();
});
afterEach(() => repository.cleanup());

const looseObjects = (): Set<string> => {
  const folder = join(repository.dir, '.git/objects');
  const pairs = readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name));
  return new Set(pairs.flatMap((pair) => readdirSync(join(folder, pair)).map((rest) => pair + rest)));
};

describe('objects synced to disk together', () => {
  it('CP-1: are all those that a checkpoint wrote, synced before anything relies on them', async () => {
    const runs: GitRun[] = [];
    let written: ReadonlySet<string> = new Set();
    const git = createGit({
      runner(run) {
        if (run.args[0] === 'diff-tree') written = looseObjects();
        runs.push(run);
        return real(run);
      },
    });
    const tree = got(await git.open(repository.dir));
    const first = got(await tree.keep('turn/one')).snapshot;
    expect(runs.filter(({ writes }) => writes === 'unsynced')).toEqual([]);
    const before = looseObjects();
    repository.put('sub/deep/c.txt', 'changed\n');
    repository.put('new/e.txt', 'new\n');
    repository.remove('other');
    runs.length = 0;
    const second = got(await tree.keep('turn/two')).snapshot;
    expect(runs.flatMap(({ args, writes }) => (writes === 'unsynced' ? [args[0]] : []))).toEqual([
      'update-index',
      'write-tree',
    ]);
    const since = got(await objectsSince(real, tree.repository, first.tree, second.tree));
    // Two files, the folders new, deep and sub, and the root.
    expect([since.size, since]).toEqual([6, written.difference(before)]);
    expect(looseObjects()).toEqual(written);
  });

  it('CP-1: make no checkpoint if the disk refuses one of them', async () => {
    const { repository: found } = got(await createGit().open(repository.dir));
    const id = repository.git('rev-parse', 'HEAD^{tree}').trim();
    expect(got(await syncObjects(found, new Set([id, 'f'.repeat(40)])))).toBeNull();
    const folder = dirname(join(found.commonDir, 'objects', id.slice(0, 2), id.slice(2)));
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(await syncObjects(found, new Set([id]))).toMatchObject({ ok: false, failure: { code: 'GIT_FAILED' } });
    rmSync(folder);
    mkdirSync(folder);
    expect(got(await syncObjects(found, new Set([id])))).toBeNull();
  });
});
