import type { Worktree } from '@liminal/contracts';

export const worktree = (part: Partial<Worktree> = {}): Worktree => ({
  worktreeId: 'w',
  projectId: 'p',
  sessionId: null,
  folder: '/data/worktrees/fix',
  branch: 'fix',
  base: 'main',
  state: 'ready',
  dirty: false,
  ahead: 0,
  size: null,
  lastUsed: '2026-01-01T00:00:00.000Z',
  ...part,
});
