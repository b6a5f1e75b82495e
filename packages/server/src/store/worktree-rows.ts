import { IsoTime } from '@liminal/contracts';
import { z } from 'zod';

/** A stored worktree. Every operation is written before it starts, so a killed server finds it here. */
export const WorktreeRow = z.object({
  worktreeId: z.string().min(1),
  projectId: z.string().min(1),
  sessionId: z.string().nullable(),
  /** The root of the working tree, and the folder where sessions work: the project may be below the root. */
  root: z.string().min(1),
  folder: z.string().min(1),
  branch: z.string().min(1),
  base: z.string().nullable(),
  baseCommit: z.string().min(1),
  /** After a crash, `creating` and `restoring` are undone; `removing` is completed. */
  state: z.enum(['creating', 'setup', 'ready', 'failed', 'parked']),
  step: z.enum(['restoring', 'removing']).nullable(),
  error: z.string().nullable(),
  notice: z.string().nullable(),
  setup: z.object({ command: z.string(), output: z.string(), exitCode: z.int().nullable() }).nullable(),
  /** The commit that holds parked work, and what it holds beyond commits. */
  park: z
    .object({
      commit: z.string().min(1),
      dirty: z.boolean(),
      ahead: z.int(),
      /** Whether ignored files were kept. Older rows don't say. */
      ignored: z.boolean().optional(),
      at: IsoTime,
    })
    .nullable(),
  size: z.int().nonnegative().nullable(),
  createdAt: IsoTime,
  lastUsed: IsoTime,
});
export type WorktreeRow = Readonly<z.infer<typeof WorktreeRow>>;

export type WorktreeWrite =
  | { readonly type: 'put-worktree'; readonly row: WorktreeRow }
  | { readonly type: 'remove-worktree'; readonly worktreeId: string };
