import type { SearchHit, SessionSummary } from '@liminal/contracts';
import { attentionOf } from '@liminal/domain/session/attention';
import type { Action } from '../../state/workbench/actions.ts';
import { newestFirst, type Directory } from '../../state/workbench/directory-store.ts';
import { titleOf } from '../../state/sessions/titles.ts';
import { fuzzyFilter } from '../../ui/fuzzy.ts';

/** One entry of the palette. */
export type Entry =
  | { readonly kind: 'action'; readonly key: string; readonly action: Action }
  | { readonly kind: 'session'; readonly key: string; readonly session: SessionSummary }
  | { readonly kind: 'hit'; readonly key: string; readonly hit: SearchHit };

export type Section = { readonly title: string; readonly entries: readonly Entry[] };

const mostSessions = 8;

type Sources = {
  readonly typed: string;
  readonly mode: 'all' | 'search';
  readonly actions: readonly Action[];
  readonly directory: Directory;
  readonly hits: readonly SearchHit[];
};

/** The palette's entries for a query: sessions, actions, and matches in messages. */
export function sectionsFor({ typed, mode, actions, directory, hits }: Sources): Section[] {
  const nameOf = new Map(directory.projects.map((project) => [project.projectId, project.name]));
  const sessions = [...directory.sessions.values()]
    .filter((session) => !session.archived && nameOf.has(session.projectId))
    .sort(waitingFirst);
  const found = fuzzyFilter(typed, sessions, (session) => `${titleOf(session)} ${nameOf.get(session.projectId) ?? ''}`);
  const possible = actions.filter((action) => action.isPossible && action.id !== 'palette');
  const all: Section[] = [
    {
      title: 'Sessions',
      entries: found
        .slice(0, mostSessions)
        .map((session) => ({ kind: 'session', key: `session:${session.sessionId}`, session })),
    },
    {
      title: 'Actions',
      entries:
        mode === 'search'
          ? []
          : fuzzyFilter(typed, possible, (action) => action.title).map((action) => ({
              kind: 'action',
              key: `action:${action.id}`,
              action,
            })),
    },
    {
      title: 'Messages',
      entries: hits
        .filter((hit) => hit.where === 'item')
        .map((hit) => ({ kind: 'hit', key: `hit:${hit.sessionId}:${hit.itemId ?? ''}`, hit })),
    },
  ];
  return all.filter((section) => section.entries.length > 0);
}

const waitingFirst = (a: SessionSummary, b: SessionSummary): number =>
  Number(needsPerson(b)) - Number(needsPerson(a)) || newestFirst(a, b);
const needsPerson = (session: SessionSummary): boolean => attentionOf(session).kind === 'needs-you';
