import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok, type Project } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionPlaces } from './session-places.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-places-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(join(dir, path, '..'), { recursive: true });
  writeFileSync(join(dir, path), text);
};

describe('the folder of a session', () => {
  const project = (): Project => ({ projectId: 'p', dir: join(dir, 'main'), name: 'main', trusted: true });
  const places = () => createSessionPlaces({ projects: { get: () => ok(project()) } });

  it('WT-1: is its project’s folder unless the row names another, with the current branch', async () => {
    put('main/.git/HEAD', 'ref: refs/heads/one\n');
    const all = places();
    const row = { projectId: 'p' };
    expect(all.of(row)).toEqual({ kind: 'folder', folder: join(dir, 'main'), branch: null });
    expect(await all.read(row)).toEqual({ kind: 'folder', folder: join(dir, 'main'), branch: 'one' });
    put('main/.git/HEAD', 'ref: refs/heads/two\n');
    expect((await all.read(row))?.branch).toBe('two');
    expect(all.of(row)?.branch).toBe('two');
  });

  it('is that of its worktree, with the trust of its project', async () => {
    const place = { kind: 'worktree' as const, folder: join(dir, 'tree'), branch: 'kept', worktreeId: 'w' };
    const all = places();
    expect(all.of({ projectId: 'p', place })).toEqual(place);
    expect(all.project({ projectId: 'p', place })).toEqual(ok({ ...project(), dir: join(dir, 'tree') }));
  });

  it('is read only once per list', async () => {
    put('main/.git/HEAD', 'ref: refs/heads/one\n');
    const place = { kind: 'folder' as const, folder: join(dir, 'main'), branch: null };
    expect(await places().withBranches([{ place }, { place }, {}])).toEqual([
      { place: { ...place, branch: 'one' } },
      { place: { ...place, branch: 'one' } },
      {},
    ]);
  });
});
