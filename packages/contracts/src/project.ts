import { z } from 'zod';
import { NodeMark } from './cluster.ts';
import { NamedCommand } from './worktree.ts';

export const Project = z.object({
  projectId: z.string().min(1),
  dir: z.string().min(1),
  name: z.string(),
  trusted: z.boolean(),
  /** The branch checked out now; only set for trusted folders, and not on a detached HEAD. */
  branch: z.string().optional(),
  node: NodeMark.optional(),
  /** Named commands that the user saved; missing if there are none. */
  commands: z.array(NamedCommand).optional(),
  /** New sessions get their own worktree by default. */
  defaultPlace: z.literal('worktree').optional(),
});
export type Project = z.infer<typeof Project>;
