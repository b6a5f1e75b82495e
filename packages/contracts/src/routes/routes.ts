import { compareRoutes } from './compare-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { rewindRoutes } from './rewind-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { terminalRoutes } from './terminal-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { worktreeRoutes } from './worktree-routes.ts';
import { projectRoutes, workbenchRoutes } from './workbench-routes.ts';

/**
 * Every route, grouped by topic. The server's handlers, the page's client, the OpenAPI document and the commands
 * between machines all derive from this table: a new route is an entry here and a handler.
 */
export const routes = {
  session: { ...sessionRoutes, ...reviewRoutes, ...rewindRoutes },
  compare: compareRoutes,
  project: projectRoutes,
  file: fileRoutes,
  terminal: terminalRoutes,
  webhook: webhookRoutes,
  workbench: workbenchRoutes,
  worktree: worktreeRoutes,
} as const;

export type Routes = typeof routes;
export type RouteGroup = keyof Routes;

/** The name of a route for other programs. */
export const operationId = (group: string, name: string): string =>
  `${group}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
