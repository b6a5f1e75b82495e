import type { Action } from './actions.ts';
import type { Workbench } from './workbench.ts';

/** The formats a session can be exported to. */
export const exportFormats = [
  { format: 'md', name: 'Markdown' },
  { format: 'html', name: 'HTML' },
  { format: 'json', name: 'JSON' },
] as const;

/** Exports a session in each format. */
export const exportActions = (workbench: Workbench, sessionId: string | undefined): Action[] =>
  exportFormats.map(({ format, name }) => ({
    id: `export-${format}`,
    title: `Export session as ${name}`,
    group: 'This session',
    isPossible: sessionId !== undefined,
    run: () => sessionId !== undefined && void workbench.exportSession(sessionId, format),
  }));

/** Imports a session from such a file. */
export const importAction = (workbench: Workbench, projectId: string | undefined): Action => ({
  id: 'import-session',
  title: 'Import session file',
  group: 'Sessions',
  isPossible: projectId !== undefined,
  run: () => projectId !== undefined && void workbench.importSession(projectId),
});
