import type { SessionSummary } from '@liminal/contracts';
import { attentionOf } from '@liminal/domain/session/attention';
import { readJson, type Storage } from '../../browser/storage.ts';
import { createCell, type Cell } from '../base/cell.ts';
import { titleOf } from '../sessions/titles.ts';

export const sortNames = {
  recent: 'Newest first',
  status: 'Needs you first',
  title: 'By title',
  own: 'My order',
} as const;
export type SortName = keyof typeof sortNames;

/** How the list of sessions is sorted and grouped. */
export type ListView = {
  readonly sort: SortName;
  readonly group: 'project' | 'none';
  /** The custom order of sessions, for the sort `own`. */
  readonly order: readonly string[];
};

const key = 'liminal.list';
const usual: ListView = { sort: 'recent', group: 'project', order: [] };

function check(value: unknown): ListView | null {
  const { sort, group, order } = (value ?? {}) as { sort?: unknown; group?: unknown; order?: unknown };
  if (typeof sort !== 'string' || !(sort in sortNames)) return null;
  const ids = Array.isArray(order) ? order.filter((id): id is string => typeof id === 'string') : [];
  return { sort: sort as SortName, group: group === 'none' ? 'none' : 'project', order: ids };
}

export function createListView(storage: Storage): Cell<ListView> {
  const cell = createCell<ListView>(readJson(storage, key, check) ?? usual);
  cell.subscribe(() => storage.write(key, JSON.stringify(cell.get())));
  return cell;
}

const loudness = ['needs-you', 'failed', 'done', 'working', 'unknown', 'paused', 'idle'] as const;

/** Sorts sessions, which arrive newest first. One without a custom position yet comes first. */
export function sortSessions(sessions: readonly SessionSummary[], { sort, order }: ListView): SessionSummary[] {
  switch (sort) {
    case 'recent':
      return [...sessions];
    case 'status':
      return byRank(sessions, (session) => loudness.indexOf(attentionOf(session).kind));
    case 'title':
      return sessions.toSorted((a, b) => titleOf(a).localeCompare(titleOf(b)));
    case 'own': {
      const places = new Map(order.map((id, place) => [id, place]));
      return byRank(sessions, ({ sessionId }) => places.get(sessionId) ?? -1);
    }
  }
}

function byRank(sessions: readonly SessionSummary[], rankOf: (session: SessionSummary) => number): SessionSummary[] {
  return sessions
    .map((session) => ({ session, rank: rankOf(session) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ session }) => session);
}

/** The view after a session was moved within a shown list: from then on the order is custom. */
export function placeSession(view: ListView, shown: readonly string[], sessionId: string, at: number): ListView {
  const rest = shown.filter((id) => id !== sessionId);
  const placed = rest.toSpliced(Math.max(0, Math.min(at, rest.length)), 0, sessionId);
  return { ...view, sort: 'own', order: [...placed, ...view.order.filter((id) => !placed.includes(id))] };
}
