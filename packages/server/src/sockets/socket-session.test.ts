import { expect, it, vi } from 'vitest';
import { createSocketSession, type SocketSessionDeps } from './socket-session.ts';

it('names the session that couldn’t be read, so its reader doesn’t wait for it', () => {
  const sent: unknown[] = [];
  const onError = vi.fn();
  const broken = new Error('disk I/O error');
  const session = createSocketSession({
    wire: {
      send: (frame: unknown) => void sent.push(JSON.parse(String(frame))),
      sendBytes: () => {},
      waiting: () => 0,
    },
    open: () => {
      throw broken;
    },
    tasks: { follow: () => () => {} },
    onError,
  } as unknown as SocketSessionDeps);
  session.receive(JSON.stringify({ type: 'session:subscribe', sessionId: 's' }));
  expect(sent).toMatchObject([{ type: 'error', code: 'INTERNAL_ERROR', sessionId: 's' }]);
  expect(onError).toHaveBeenCalledWith(broken);
});

it('sends changes of worktrees once, however often a page subscribes, until it closes', async () => {
  const sent: unknown[] = [];
  const followers = new Set<(change: object) => void>();
  const session = createSocketSession({
    wire: {
      send: (frame: unknown) => void sent.push(JSON.parse(String(frame))),
      sendBytes: () => {},
      waiting: () => 0,
    },
    tasks: { follow: () => () => {} },
    worktrees: { follow: (follower: () => void) => (followers.add(follower), () => followers.delete(follower)) },
    compares: { follow: () => () => {} },
  } as unknown as SocketSessionDeps);
  for (let count = 0; count < 2; count += 1) session.receive(JSON.stringify({ type: 'worktrees:subscribe' }));
  for (const follower of followers) follower({ worktrees: [{ worktreeId: 'w' }], removed: [] });
  await vi.waitFor(() => expect(sent).not.toHaveLength(0));
  expect(sent).toEqual([{ type: 'worktree:changed', worktrees: [{ worktreeId: 'w' }] }]);
  session.close();
  expect(followers.size).toBe(0);
});
