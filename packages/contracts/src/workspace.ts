import { z } from 'zod';

/** The size of a part relative to its neighbours. */
const share = z.number().min(0.001).max(1000);

/** Tabs shown together: columns from left to right, each with panes from top to bottom. */
export const WorkspaceSplit = z.object({
  columns: z
    .array(
      z.object({
        share,
        panes: z
          .array(z.object({ tab: z.string().min(1), share }))
          .max(3)
          .readonly(),
      }),
    )
    .max(4)
    .readonly(),
});
export type WorkspaceSplit = z.infer<typeof WorkspaceSplit>;

/** Two tabs side by side, as earlier versions stored them. Still read, no longer written. */
export const WorkspacePair = z.object({
  left: z.string().min(1),
  right: z.string().min(1),
  /** The left side's share of the width. */
  ratio: z.number().min(0.1).max(0.9).optional(),
});

/** The terminal panel of one project. */
export const WorkspaceTerminals = z.object({
  isShown: z.boolean(),
  height: z.number().min(0).max(4000),
  /** The terminal that was shown last. */
  terminalId: z.string().min(1).nullish(),
});
export type WorkspaceTerminals = z.infer<typeof WorkspaceTerminals>;

/** The tabs of one project. */
export const WorkspaceLayout = z.object({
  tabs: z.array(z.string().min(1)).max(200),
  /** The tab in front, also while another project or the first screen is shown. */
  activeTab: z.string().nullish(),
  splits: z.array(WorkspaceSplit).max(100).optional(),
});

/** The page's layout, stored on the server for other browsers and restarts. */
export const Workspace = z.object({
  /**
   * Ids of the open tabs of all projects: a session id, or `review:`, `file:` or `terminal:` followed by what it shows.
   * Those in no project's layout, which is all of them in earlier versions, are divided by the page.
   */
  tabs: z.array(z.string().min(1)).max(200),
  /** The tab that is shown; null on the first screen. */
  activeTab: z.string().nullish(),
  /** The project whose tabs are shown. */
  project: z.string().nullish(),
  /** The tabs of each project, by its id. */
  layouts: z.record(z.string().min(1), WorkspaceLayout).optional(),
  /** Ids of the collapsed projects. */
  collapsed: z.array(z.string().min(1)).max(1000).optional(),
  sidebarWidth: z.number().min(0).max(4000).optional(),
  splits: z.array(WorkspaceSplit).max(100).optional(),
  split: WorkspacePair.nullish(),
  /** By project id. */
  terminals: z.record(z.string().min(1), WorkspaceTerminals).optional(),
});
export type Workspace = z.infer<typeof Workspace>;
