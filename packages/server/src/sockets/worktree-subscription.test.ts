import type { Worktree } from '@liminal/contracts';
import { expect, it, vi } from 'vitest';
import { createPump } from '../delivery/pump.ts';
import type { WorktreeChange } from '../worktrees/worktree-table.ts';
import { createWorktreeSubscription } from './worktree-subscription.ts';

function setup() {
  let change: (change: WorktreeChange) => void = () => {};
  let compare: (compareId: string) => void = () => {};
  const socket = { waiting: 0, sent: [] as unknown[], drained: () => {} };
  const pump = createPump(
    {
      send: (frame) => void socket.sent.push(JSON.parse(String(frame))),
      waiting: () => socket.waiting,
      whenDrained: (listener) => (socket.drained = listener),
    },
    { highWater: 1 },
  );
  const unfollow = vi.fn();
  pump.add(
    createWorktreeSubscription({
      worktrees: { follow: (follower) => ((change = follower), unfollow) },
      compares: { follow: (follower) => ((compare = follower), unfollow) },
      wake: pump.wake,
    }),
  );
  const put = (worktreeId: string, output: string) =>
    change({ worktrees: [{ worktreeId, setup: { output } } as unknown as Worktree], removed: [] });
  const remove = (worktreeId: string) => change({ worktrees: [], removed: [worktreeId] });
  return { socket, pump, put, remove, compare: (compareId: string) => compare(compareId), unfollow };
}

it('sends each change to a reader that keeps up', async () => {
  const { socket, pump, put, compare, unfollow } = setup();
  put('w', 'one');
  await vi.waitFor(() => expect(socket.sent).toHaveLength(1));
  put('w', 'one two');
  compare('c');
  await vi.waitFor(() => expect(socket.sent).toHaveLength(3));
  expect(socket.sent).toEqual([
    { type: 'worktree:changed', worktrees: [{ worktreeId: 'w', setup: { output: 'one' } }] },
    { type: 'worktree:changed', worktrees: [{ worktreeId: 'w', setup: { output: 'one two' } }] },
    { type: 'compare:changed', compareId: 'c' },
  ]);
  pump.stop();
  expect(unfollow).toHaveBeenCalledTimes(2);
});

it('keeps only the newest state of each worktree for a reader that is slow', async () => {
  const { socket, put, remove, compare } = setup();
  socket.waiting = 1;
  const long = 'x'.repeat(64 * 1024);
  for (const step of Array.from({ length: 100 }).keys()) {
    put('w', `${long}${step}`);
    compare('c');
    await new Promise(setImmediate);
  }
  put('gone', long);
  remove('gone');
  await new Promise(setImmediate);
  expect(socket.sent).toEqual([]);
  socket.waiting = 0;
  socket.drained();
  await vi.waitFor(() => expect(socket.sent).toHaveLength(2));
  expect(socket.sent).toEqual([
    { type: 'worktree:changed', worktrees: [{ worktreeId: 'w', setup: { output: `${long}99` } }], removed: ['gone'] },
    { type: 'compare:changed', compareId: 'c' },
  ]);
});
