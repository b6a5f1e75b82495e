import type { Project, TerminalSummary } from '@liminal/contracts';
import { distinctTitles, type DistinctTitle } from '../sessions/titles.ts';
import { readTab, sessionOfTab } from './tab-id.ts';

type TabTitlesDeps = {
  readonly placeOf: (sessionId: string) => { readonly title?: string; readonly projectId: string } | undefined;
  readonly projects: readonly Project[];
  readonly terminals: readonly TerminalSummary[] | null;
};

/** The titles of tabs; identical ones get a distinguishing suffix. */
export function tabTitles(open: readonly string[], { placeOf, projects, terminals }: TabTitlesDeps): DistinctTitle[] {
  const sessions = [...new Set(open.flatMap((id) => sessionOfTab(id) ?? []))];
  const distinct = distinctTitles(
    sessions.map((sessionId) => ({ title: '', ...placeOf(sessionId) })),
    projects,
  );
  const titles = open.map((id): DistinctTitle => {
    const tab = readTab(id);
    if (tab.kind === 'terminal') {
      const title = terminals?.find(({ terminalId }) => terminalId === tab.terminalId)?.title ?? 'Terminal';
      return { title, mark: '' };
    }
    const { title, mark } = distinct[sessions.indexOf(tab.sessionId)] ?? { title: '', mark: '' };
    if (tab.kind === 'session') return { title, mark };
    if (tab.kind === 'review') return { title: `Review: ${title}`, mark };
    const project = projects.find(({ projectId }) => projectId === placeOf(tab.sessionId)?.projectId);
    if (tab.path === '') return { title: 'Files', mark: project?.name ?? '' };
    return { title: tab.path.slice(tab.path.lastIndexOf('/') + 1), mark: '' };
  });
  return titles.map((held, index) => {
    const tab = readTab(open[index] ?? '');
    const same = titles.flatMap((other, at) => (other.title === held.title && other.mark === held.mark ? [at] : []));
    if (same.length < 2 || tab.kind === 'session') return held;
    const folder = tab.kind === 'file' ? tab.path.slice(0, Math.max(0, tab.path.lastIndexOf('/'))) : '';
    return { ...held, mark: folder === '' ? String(same.indexOf(index) + 1) : folder };
  });
}
