import { z } from 'zod';
import { NodeMark } from './cluster.ts';
import { NamedCommand } from './worktree.ts';

export const Project = z.object({
  projectId: z.string().min(1),
  dir: z.string().min(1),
  name: z.string(),
  trusted: z.boolean(),
  /** What is checked out in the folder now; only said of trusted folders, and not on a detached HEAD. */
  branch: z.string().optional(),
  node: NodeMark.optional(),
  /** What the user saved to be run by name; left out where there is none. */
  commands: z.array(NamedCommand).optional(),
  /** New sessions work in a worktree of their own, unless the user says otherwise. */
  defaultPlace: z.literal('worktree').optional(),
});
export type Project = z.infer<typeof Project>;
