import { ok, type Project, type Result, type TurnChanges } from '@liminal/contracts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Git, KeptSnapshot, TakenSnapshot, WorkingTree } from '../../git/git.ts';
import type { RecordedTree } from '../../git/snapshots/kept-files.ts';
import type { CheckpointRow } from '../../store/review-rows.ts';
import { createActiveTurns } from './active-turns.ts';
import { createTurnCheckpoints, type TurnCheckpointsDeps } from './turn-checkpoints.ts';

const at = '2026-01-01T00:00:00.000Z';
const state = { head: null, branch: 'main', operation: null, isLocked: false, isSparse: false, usesLfs: false };
const kept = (tree: string): KeptSnapshot => ({
  snapshot: { tree, raw: null, bytes: 0, notKept: [], nested: [], ignoreState: null },
  state,
  ref: `refs/${tree}`,
});

let trusted: boolean;
let opened: number;
let isRunning: boolean;
let snapshots: PromiseWithResolvers<Result<KeptSnapshot>>[];
let rows: CheckpointRow[];
let changed: [string, TurnChanges][];
beforeEach(() => {
  trusted = true;
  opened = 0;
  isRunning = false;
  snapshots = [];
  rows = [];
  changed = [];
});

const ask = () => {
  const asked = Promise.withResolvers<Result<KeptSnapshot>>();
  snapshots.push(asked);
  return asked.promise;
};
const tree = {
  repository: { gitDir: '/p/.git', folder: '/p' },
  keep: (_name: string, taken?: TakenSnapshot) => (taken ? ok({ ...taken, ref: 'refs/taken' }) : ask()),
  take: ask,
  forget: async () => ok(null),
  include: async (recorded: RecordedTree) => ok(recorded),
  changes: async () => ok({ state, entries: [], notKept: [], nested: [] }),
} as unknown as WorkingTree;

function setup(given: Partial<TurnCheckpointsDeps> = {}) {
  const git = {
    async openRecorded() {
      opened += 1;
      return ok({ tree, isShadow: false });
    },
  } as unknown as Git;
  return createTurnCheckpoints({
    sessionId: 's',
    git,
    project: (): Project => ({ projectId: 'p', dir: '/p', name: 'p', trusted }),
    active: createActiveTurns(),
    watching: { hold: async () => 'off', release: () => {}, mark: async () => null },
    isRunning: () => isRunning,
    named: () => new Set(),
    newId: () => 'id',
    now: () => at,
    write: async (writes) => {
      for (const write of writes) if (write.type === 'put-checkpoint') rows.push(write.row);
    },
    onChanged: async (turnId, changes) => void changed.push([turnId, changes]),
    onError: (error) => expect.unreachable(String(error)),
    mostMs: 2_000,
    ...given,
  });
}

/** Which files another session's turn, run now, would attribute to other sessions. */
function namedByOthers(active: ReturnType<typeof createActiveTurns>): ReadonlySet<string> {
  const other = { sessionId: 'other', turnId: 'o', gitDir: '/p/.git' };
  active.begin({ ...other, named: () => new Set() });
  return active.end(other);
}

describe('recording a folder before and after a turn', () => {
  it('CP-1: a message waits until its folder is recorded', async () => {
    const checkpoints = setup();
    checkpoints.begin('t');
    let isReady = false;
    const ready = checkpoints.ready('t').then(() => (isReady = true));
    await expect.poll(() => snapshots.length).toBe(1);
    expect(isReady).toBe(false);
    snapshots[0]?.resolve(ok(kept('before')));
    await ready;
    await checkpoints.idle();
    expect(rows.at(-1)).toMatchObject({ turnId: 't', before: { tree: 'before' }, after: null });
    checkpoints.ended('t');
    await expect.poll(() => snapshots.length).toBe(2);
    snapshots[1]?.resolve(ok(kept('after')));
    await checkpoints.idle();
    expect(rows.at(-1)).toMatchObject({ before: { tree: 'before' }, after: { tree: 'after' } });
    expect(changed).toEqual([['t', { files: 0, additions: 0, deletions: 0 }]]);
  });

  it('CP-1: reports which ended turns are still being recorded, and waits for them at most two seconds', async () => {
    const checkpoints = setup();
    expect(await checkpoints.ending()).toEqual(new Set());
    checkpoints.begin('t');
    await expect.poll(() => snapshots.length).toBe(1);
    snapshots[0]?.resolve(ok(kept('before')));
    await checkpoints.idle();
    vi.useFakeTimers();
    try {
      checkpoints.ended('t');
      const late = checkpoints.ending();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await late).toEqual(new Set(['t']));
      const soon = checkpoints.ending();
      snapshots[1]?.resolve(ok(kept('after')));
      expect(await soon).toEqual(new Set());
    } finally {
      vi.useRealTimers();
    }
    expect(rows.at(-1)).toMatchObject({ after: { tree: 'after' } });
  });

  it("CP-1: a message waits at most two seconds, and a later record isn't used as the state before the turn", async () => {
    vi.useFakeTimers();
    try {
      const checkpoints = setup();
      checkpoints.begin('t');
      const ready = checkpoints.ready('t');
      await vi.advanceTimersByTimeAsync(2_000);
      await ready;
      snapshots[0]?.resolve(ok(kept('late')));
      checkpoints.ended('t');
      await checkpoints.idle();
      expect([rows, snapshots.length]).toEqual([[], 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('CP-1: the time limit starts with the first tool call, however late that comes', async () => {
    vi.useFakeTimers();
    try {
      const checkpoints = setup();
      checkpoints.begin('t');
      await vi.advanceTimersByTimeAsync(60_000);
      let isHeld = true;
      const call = checkpoints.beforeCall({ turnId: 't', edits: [] }).then(() => (isHeld = false));
      await vi.advanceTimersByTimeAsync(1_900);
      expect(isHeld).toBe(true);
      snapshots[0]?.resolve(ok(kept('before')));
      await call;
      expect(rows.at(-1)).toMatchObject({ turnId: 't', before: { tree: 'before' } });
    } finally {
      vi.useRealTimers();
    }
  });

  it('CP-1: a turn the agent started is recorded at its first tool call, but not one that has ended', async () => {
    const checkpoints = setup();
    await checkpoints.beforeCall({ turnId: 'over', edits: [] });
    expect(snapshots).toHaveLength(0);
    isRunning = true;
    const call = checkpoints.beforeCall({ turnId: 'own', edits: [] });
    await expect.poll(() => snapshots.length).toBe(1);
    snapshots[0]?.resolve(ok(kept('before')));
    await call;
    expect(rows.at(-1)).toMatchObject({ turnId: 'own', before: { tree: 'before' } });
  });

  it('CP-1: the end of one turn is never used as the start of the next', async () => {
    const checkpoints = setup();
    checkpoints.begin('one');
    await expect.poll(() => snapshots.length).toBe(1);
    snapshots[0]?.resolve(ok(kept('a')));
    await checkpoints.ready('one');
    checkpoints.ended('one');
    checkpoints.begin('two');
    await expect.poll(() => snapshots.length).toBe(3);
    snapshots[1]?.resolve(ok(kept('b')));
    snapshots[2]?.resolve(ok(kept('c')));
    await checkpoints.idle();
    expect(rows.findLast(({ turnId }) => turnId === 'one')?.after?.tree).not.toBe(
      rows.findLast(({ turnId }) => turnId === 'two')?.before?.tree,
    );
  });

  it('CP-1: a folder recorded while the agent started serves one turn', async () => {
    const checkpoints = setup();
    checkpoints.adopt({ take: async () => ({ tree, taken: kept('ahead') }), stop: () => {} });
    checkpoints.begin('t');
    await checkpoints.idle();
    expect([rows.at(-1)?.before?.tree, snapshots.length]).toEqual(['ahead', 0]);
    checkpoints.begin('u');
    await expect.poll(() => snapshots.length).toBe(1);
    snapshots[0]?.resolve(ok(kept('now')));
    await checkpoints.idle();
    expect(rows.at(-1)?.before?.tree).toBe('now');
  });

  it('CP-1: checks while a message is being written whether a record is still valid, for that message only', async () => {
    const checkpoints = setup();
    const take = vi.fn(async () => ({ tree, taken: kept('ahead') }));
    checkpoints.adopt({ take, stop: () => {} });
    checkpoints.expect('t');
    await expect.poll(() => take.mock.calls.length).toBe(1);
    checkpoints.begin('t');
    await checkpoints.idle();
    expect([rows.at(-1)?.before?.tree, snapshots.length]).toEqual(['ahead', 0]);
    checkpoints.adopt({ take, stop: () => {} });
    checkpoints.expect('not written');
    checkpoints.begin('u');
    await expect.poll(() => snapshots.length).toBe(1);
    snapshots[0]?.resolve(ok(kept('now')));
    await checkpoints.idle();
    expect(rows.at(-1)?.before?.tree).toBe('now');
  });

  it.each(['before', 'after'])(
    'CP-3: if recording the folder %s a turn fails, no later turn counts as overlapping with it',
    async (when) => {
      const active = createActiveTurns();
      const errors: unknown[] = [];
      const full = async () => {
        throw new Error('The disk is full.');
      };
      const checkpoints = setup({
        active,
        named: () => new Set(['a.txt']),
        onError: (error) => errors.push(error),
        ...(when === 'before' && { write: full }),
      });
      checkpoints.begin('t');
      await expect.poll(() => snapshots.length).toBe(1);
      snapshots[0]?.resolve(ok(kept('before')));
      await checkpoints.idle();
      if (when === 'after') {
        expect(namedByOthers(active)).toEqual(new Set(['a.txt']));
        checkpoints.ended('t');
        await expect.poll(() => snapshots.length).toBe(2);
        snapshots[1]?.reject(new Error('The disk is full.'));
        await checkpoints.idle();
      }
      expect([errors.length, namedByOthers(active)]).toEqual([1, new Set()]);
    },
  );

  it('G-1: starts no git in an untrusted folder', async () => {
    trusted = false;
    const checkpoints = setup();
    checkpoints.prepare();
    checkpoints.begin('t');
    await checkpoints.ready('t');
    checkpoints.ended('t');
    await checkpoints.idle();
    expect(opened).toBe(0);
  });

  it('G-1: starts no git in a folder whose trust was withdrawn during the turn', async () => {
    const include = vi.spyOn(tree, 'include');
    const checkpoints = setup();
    checkpoints.begin('t');
    await expect.poll(() => snapshots.length).toBe(1);
    snapshots[0]?.resolve(ok(kept('before')));
    await checkpoints.idle();
    trusted = false;
    await checkpoints.beforeCall({ turnId: 't', edits: ['/p/a.txt'] });
    checkpoints.ended('t');
    await checkpoints.idle();
    expect([snapshots.length, include.mock.calls, rows.length]).toEqual([1, [], 1]);
    include.mockRestore();
  });

  it('G-1: keeps no early record of a folder whose trust was withdrawn since', async () => {
    const checkpoints = setup();
    const take = async () => {
      trusted = false;
      return { tree, taken: kept('ahead') };
    };
    checkpoints.adopt({ take, stop: () => {} });
    checkpoints.begin('t');
    await checkpoints.idle();
    expect([rows, opened]).toEqual([[], 0]);
  });
});
