import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompareRow } from './compare-rows.ts';
import type { Store } from './store.ts';
import type { WorktreeRow } from './worktree-rows.ts';

const at = '2026-01-01T00:00:00.000Z';

/** What every store does with worktrees and comparisons. */
export function worktreeStoreContract(name: string, open: () => Promise<Store>): void {
  describe(`worktrees in ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    it('keeps worktrees until they are removed, even after their session is gone', async () => {
      const row: WorktreeRow = {
        worktreeId: 'w',
        projectId: 'p',
        sessionId: 's',
        root: '/w',
        folder: '/w/below',
        branch: 'work',
        base: 'main',
        baseCommit: 'c',
        state: 'parked',
        step: 'removing',
        error: null,
        notice: null,
        setup: { command: 'make', output: '', exitCode: 0 },
        park: { commit: 'k', dirty: true, ahead: 1, at },
        size: 0,
        createdAt: at,
        lastUsed: at,
      };
      await store.write([
        { type: 'put-worktree', row: { ...row, state: 'ready', park: null } },
        { type: 'put-worktree', row },
        { type: 'put-worktree', row: { ...row, worktreeId: 'v' } },
        { type: 'remove-session', sessionId: 's' },
        { type: 'remove-worktree', worktreeId: 'v' },
      ]);
      expect(store.worktrees()).toEqual([row]);
    });

    it('keeps comparisons in their newest state, in the order they were made', async () => {
      const row: CompareRow = {
        compareId: 'c',
        projectId: 'p',
        message: { content: 'x', images: [], mentions: ['a'] },
        base: 'main',
        baseCommit: 'b',
        createdAt: at,
        candidates: [],
        kept: null,
      };
      const kept = { candidateId: 'd', at, step: 'waiting', merge: null, error: null } as const;
      await store.write([
        { type: 'put-compare', row },
        { type: 'put-compare', row: { ...row, compareId: 'later' } },
        { type: 'put-compare', row: { ...row, kept } },
      ]);
      expect(store.compares()).toEqual([
        { ...row, kept },
        { ...row, compareId: 'later' },
      ]);
    });
  });
}
