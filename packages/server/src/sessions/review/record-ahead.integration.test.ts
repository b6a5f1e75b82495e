import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { got } from '../../git/git.contract.ts';
import { createGit } from '../../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../../git/run-git.ts';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { recordAhead } from './record-ahead.ts';

let repository: TestRepository;
let commands: number;
const real = createGitRunner();
const runner: GitRunner = (run) => {
  commands += 1;
  return real(run);
};
beforeEach(() => {
  commands = 0;
  repository = createTestRepository();
  repository.put('a.txt', 'one\n');
  repository.commit();
});
afterEach(() => repository.cleanup());

const git = createGit({ runner });
const record = (trusted = true, keptMs?: number) =>
  recordAhead(git, { projectId: 'p', name: 'p', dir: repository.dir, trusted }, keptMs);
const snapshot = async () => got(await got(await git.open(repository.dir)).snapshot());
const contentIn = (tree: string | undefined) => repository.git('cat-file', 'blob', `${tree ?? ''}:a.txt`);

describe('a folder recorded while its agent starts', () => {
  it('CP-1: is used once, if nothing changed since', async () => {
    repository.put('a.txt', 'two\n');
    const ahead = record();
    const recorded = await ahead.take();
    expect(contentIn(recorded?.taken.snapshot.tree)).toBe('two\n');
    expect(await ahead.take()).toBeNull();
  });

  it('CP-1: is not used if a file was edited, a folder created or something committed in between', async () => {
    const changes = [
      () => repository.put('a.txt', 'two\n'),
      () => repository.put('new/deep/x.txt', 'x\n'),
      () => repository.commit(),
    ];
    for (const change of changes) {
      const ahead = record();
      // Lets it get as far as watching and recording the folder.
      await expect.poll(() => commands).toBeGreaterThan(3);
      await snapshot();
      change();
      const recorded = await ahead.take();
      const now = await snapshot();
      expect([null, now.tree]).toContain(recorded?.taken.snapshot.tree ?? null);
    }
  });

  it('CP-1: is released after a while, and when nobody needs it', async () => {
    const ahead = record(true, 1);
    await expect.poll(() => ahead.take()).toBeNull();
    const unwanted = record();
    unwanted.stop();
    expect(await unwanted.take()).toBeNull();
    expect(repository.git('for-each-ref', 'refs/liminal')).toBe('');
  });

  it('G-1: starts no git in an untrusted folder', async () => {
    expect(await record(false).take()).toBeNull();
    expect(commands).toBe(0);
  });
});
