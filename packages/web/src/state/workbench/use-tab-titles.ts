import type { DistinctTitle } from '../sessions/titles.ts';
import { tabTitles } from '../layout/tab-titles.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from './use-workbench.ts';

/** The titles of the open tabs, in order. */
export function useTabTitles(): readonly DistinctTitle[] {
  const { newSessions, terminals } = useWorkbench();
  const { projects, sessions } = useDirectory();
  const placeOf = (sessionId: string) => sessions.get(sessionId) ?? newSessions.origin(sessionId);
  return tabTitles(useTabs().open, { placeOf, projects, terminals: useCell(terminals.list) });
}
