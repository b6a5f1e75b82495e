import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Project } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { createSessionPlaces } from '../../projects/session-places.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import { checkpointRow, keptTree, sessionRow } from '../../store/testing/sample-rows.ts';
import type { Store } from '../../store/store.ts';
import { pruneCheckpoints } from './prune-checkpoints.ts';

const git = createGit();
let outer: TestRepository;
let dir: string;
let store: Store;

beforeEach(() => {
  outer = createTestRepository({ init: false });
  dir = join(outer.dir, 'disk', 'project');
  mkdirSync(dir, { recursive: true });
  outer.git('init', '--quiet', dir);
  outer.put('disk/project/a.txt', 'one\n');
  outer.git('-C', dir, 'add', '--all');
  outer.git('-C', dir, 'commit', '--quiet', '--message', 'work');
  store = createMemoryStore();
});
afterEach(() => outer.cleanup());

const prune = () => {
  const project: Project = { projectId: 'p', dir, name: 'project', trusted: true };
  const places = createSessionPlaces({ projects: { get: () => ok(project) } });
  return pruneCheckpoints({ store, git, places, now: () => Date.parse('2027-01-01T00:00:00.000Z') });
};
const refs = () => outer.git('-C', dir, 'for-each-ref', '--format=%(refname)', 'refs/liminal').trim();
const isPruned = () => store.checkpoint('s', 't')?.pruned;

/** A session with a checkpoint of the folder it works in, long ago. */
async function checkpointIn(folder: string): Promise<void> {
  const opened = await git.openRecorded(folder);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { tree } = opened.value;
  const kept = await tree.keep('turn/t');
  if (!kept.ok) throw new Error(kept.failure.message);
  const before = { ...keptTree(), ref: kept.value.ref };
  const place = { kind: 'worktree' as const, folder, branch: 'side' };
  await store.write([
    { type: 'put-session', row: { ...sessionRow('s'), ...(folder !== dir && { place }) } },
    { type: 'put-checkpoint', row: checkpointRow('t', { folder, gitDir: tree.repository.gitDir, before }) },
  ]);
}

describe('pruning checkpoints', () => {
  it('CP-7: waits while the folder is missing, for example on an unmounted disk', async () => {
    await checkpointIn(dir);
    const [disk, away] = [join(outer.dir, 'disk'), join(outer.dir, 'away')];
    renameSync(disk, away);
    expect([await prune(), isPruned()]).toEqual([0, false]);
    renameSync(away, disk);
    expect([await prune(), isPruned(), refs()]).toEqual([1, true, '']);
  });

  it('CP-7: deletes the refs of a parked worktree in the repository of its project', async () => {
    const worktree = join(outer.dir, 'side');
    outer.git('-C', dir, 'worktree', 'add', '--quiet', '-b', 'side', worktree);
    await checkpointIn(worktree);
    outer.git('-C', dir, 'worktree', 'remove', '--force', worktree);
    expect(refs()).toBe('refs/liminal/turn/t');
    expect([await prune(), isPruned(), refs()]).toEqual([1, true, '']);
  });

  it('CP-7: keeps a checkpoint whose folder now belongs to another repository', async () => {
    await checkpointIn(dir);
    renameSync(join(dir, '.git'), join(outer.dir, 'moved.git'));
    outer.git('init', '--quiet');
    expect([await prune(), isPruned()]).toEqual([0, false]);
  });
});
