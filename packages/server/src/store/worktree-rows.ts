import { IsoTime } from '@liminal/contracts';
import { z } from 'zod';

/** A worktree as it is kept. What is being done to it is written before it is done: a killed server finds it here. */
export const WorktreeRow = z.object({
  worktreeId: z.string().min(1),
  projectId: z.string().min(1),
  sessionId: z.string().nullable(),
  /** The root of the working tree, and the folder in it where sessions work: the project may lie below the root. */
  root: z.string().min(1),
  folder: z.string().min(1),
  branch: z.string().min(1),
  base: z.string().nullable(),
  baseCommit: z.string().min(1),
  /** `creating` and `restoring` undo what they began when the server was killed; `removing` is finished. */
  state: z.enum(['creating', 'setup', 'ready', 'failed', 'parked']),
  step: z.enum(['restoring', 'removing']).nullable(),
  error: z.string().nullable(),
  notice: z.string().nullable(),
  setup: z.object({ command: z.string(), output: z.string(), exitCode: z.int().nullable() }).nullable(),
  /** The commit that holds parked work, and what it holds beside commits. */
  park: z.object({ commit: z.string().min(1), dirty: z.boolean(), ahead: z.int(), at: IsoTime }).nullable(),
  size: z.int().nonnegative().nullable(),
  createdAt: IsoTime,
  lastUsed: IsoTime,
});
export type WorktreeRow = Readonly<z.infer<typeof WorktreeRow>>;

export type WorktreeWrite =
  | { readonly type: 'put-worktree'; readonly row: WorktreeRow }
  | { readonly type: 'remove-worktree'; readonly worktreeId: string };
