import { z } from 'zod';

/** Where a session works: its project's folder, or a worktree of it. */
export const SessionPlace = z.object({
  kind: z.enum(['folder', 'worktree']),
  folder: z.string().min(1),
  /** Null on a detached HEAD, outside of a repository, and before anybody has looked. */
  branch: z.string().nullable(),
  worktreeId: z.string().min(1).optional(),
});
export type SessionPlace = z.infer<typeof SessionPlace>;
