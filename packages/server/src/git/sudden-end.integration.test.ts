import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import type { DiscardPlan } from './staging/discard-changes.ts';
import { got } from './git.contract.ts';
import type { WorkingTree } from './git.ts';
import { createGit } from './real-git.ts';
import { createGitRunner, type GitRunner } from './run-git.ts';
import { createTestRepository, type TestRepository } from './testing/test-repository.ts';

const [oldText, newText] = ['one\ntwo\n', 'one\n2\n'];

function setup(): TestRepository {
  const repository = createTestRepository();
  repository.put('a.txt', oldText);
  repository.put('staged.txt', 'staged\n');
  repository.commit();
  repository.put('staged.txt', 'staged too\n');
  repository.git('add', 'staged.txt');
  repository.put('a.txt', newText);
  repository.put('new.txt', 'new\n');
  return repository;
}

/** Does something as a server that ends before its nth git command. True if it came to its end before that. */
async function endBefore(
  step: number,
  { dir }: TestRepository,
  act: (tree: WorkingTree) => Promise<Result<unknown>>,
): Promise<boolean> {
  const real = createGitRunner();
  const gone = Promise.withResolvers<boolean>();
  let commands = 0;
  const runner: GitRunner = (run) => {
    commands += 1;
    if (commands < step) return real(run);
    gone.resolve(false);
    return new Promise(() => {});
  };
  const acted = createGit({ runner })
    .open(dir)
    .then(async (opened) => {
      got(await act(got(opened)));
      return true;
    });
  return Promise.race([acted, gone.promise]);
}

/** Whatever happened, the repository is whole and nothing of the person's is lost. */
function expectWhole(repository: TestRepository): void {
  expect(existsSync(join(repository.dir, '.git/index.lock'))).toBe(false);
  expect(repository.git('fsck', '--no-progress', '--connectivity-only')).not.toMatch(/missing|broken/);
  expect(repository.git('show', ':staged.txt')).toBe('staged too\n');
  expect(repository.read('staged.txt')).toBe('staged too\n');
}

const untouched = (repository: TestRepository): void => {
  expect([repository.read('a.txt'), repository.read('new.txt')]).toEqual([newText, 'new\n']);
};

async function everyStep(
  act: (tree: WorkingTree) => Promise<Result<unknown>>,
  check: (repository: TestRepository) => unknown,
) {
  for (let step = 2; ; step += 1) {
    const repository = setup();
    try {
      const isDone = await endBefore(step, repository, act);
      expectWhole(repository);
      await check(repository);
      if (isDone) return;
    } finally {
      repository.cleanup();
    }
  }
}

describe('a server that ends between any two git commands', () => {
  it('G-5 CP-1: while it records a folder leaves everything as it is, and the next one records it', () =>
    everyStep(
      (tree) => tree.keep('turn/one'),
      async (repository) => {
        untouched(repository);
        const tree = got(await createGit().open(repository.dir));
        const { snapshot } = got(await tree.keep('turn/two'));
        expect(repository.git('cat-file', 'blob', `${snapshot.tree}:new.txt`)).toBe('new\n');
      },
    ));

  it('G-5 RV-6: while it stages leaves the old index or the new one', () =>
    everyStep(
      (tree) => tree.stage({ paths: ['a.txt', 'new.txt'], hunks: [] }),
      (repository) => {
        untouched(repository);
        expect(['M  staged.txt', 'M  a.txt A  new.txt M  staged.txt']).toContain(
          repository
            .git('status', '--porcelain')
            .split('\n')
            .filter((line) => !/^( M|\?\?)/.test(line))
            .join(' ')
            .trim(),
        );
      },
    ));

  it('G-5 RV-6: while it commits leaves the old commit or the new one', () =>
    everyStep(
      (tree) => tree.commit({ message: 'second', paths: ['a.txt'] }),
      (repository) => {
        untouched(repository);
        const subjects = repository.git('log', '--format=%s').trim().split('\n');
        expect([['work'], ['second', 'work']]).toContainEqual(subjects);
      },
    ));

  it('G-5 G-4 RV-6: while it discards leaves each file as it was or discarded, and it can be brought back', async () => {
    const plans: DiscardPlan[] = [];
    const confirm = async (plan: DiscardPlan) => void plans.push(plan);
    await everyStep(
      (tree) => tree.discard({ paths: ['a.txt', 'new.txt'], hunks: [] }, 'uncommitted', 'undo/one', confirm),
      async (repository) => {
        const plan = plans.pop();
        if (!plan) return untouched(repository);
        got(await got(await createGit().open(repository.dir)).undoDiscard(plan));
        untouched(repository);
      },
    );
  });
});
