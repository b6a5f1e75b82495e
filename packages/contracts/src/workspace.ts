import { z } from 'zod';

/** Which sessions stand side by side, and how the width is shared. */
export const WorkspaceSplit = z.object({
  left: z.string().min(1),
  right: z.string().min(1),
  /** The left side's share of the width. */
  ratio: z.number().min(0.1).max(0.9).optional(),
});
export type WorkspaceSplit = z.infer<typeof WorkspaceSplit>;

/** How the page stands, kept on the server so that another browser or a restart finds it again. */
export const Workspace = z.object({
  /** Ids of the sessions that are open, in their order. */
  tabs: z.array(z.string().min(1)).max(200),
  activeTab: z.string().nullish(),
  /** Ids of the projects whose sessions are folded away. */
  collapsed: z.array(z.string().min(1)).max(1000).optional(),
  sidebarWidth: z.number().min(0).max(4000).optional(),
  split: WorkspaceSplit.nullish(),
});
export type Workspace = z.infer<typeof Workspace>;
