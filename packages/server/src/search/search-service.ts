import { MessageOrigin, SearchHit, type SessionSummary } from '@liminal/contracts';
import {
  findWords,
  mayHaveWords,
  normaliseText,
  searchWords,
  type SearchWords,
} from '@liminal/domain/search/find-words';
import { snippetOf, withoutMarkup } from '@liminal/domain/search/snippet';
import type { SessionDirectory } from '../bus/directory.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { ItemFind } from '../store/item-search.ts';
import type { Store } from '../store/store.ts';

export type SearchDeps = {
  readonly store: Pick<Store, 'searchItems'>;
  readonly directory: Pick<SessionDirectory, 'all' | 'get'>;
  readonly projects: Pick<ProjectService, 'list'>;
};

export type SearchService = ReturnType<typeof createSearchService>;

const usualLimit = 50;
const perSession = 3;

/** Searches titles in memory, where every session is anyway, and items in the store's index. */
export function createSearchService({ store, directory, projects }: SearchDeps) {
  /** Normalised titles by summary object. With thousands of sessions, normalising takes most of a search. */
  const titles = new WeakMap<SessionSummary, string>();
  const normalisedTitle = (session: SessionSummary): string => {
    let title = titles.get(session);
    if (title === undefined) titles.set(session, (title = normaliseText(session.title)));
    return title;
  };
  /** The newest sessions with these words in their title. */
  const titled = (words: SearchWords, isKnown: (projectId: string) => boolean, limit: number): SessionSummary[] => {
    const mayHave = mayHaveWords(words);
    let newest: SessionSummary[] = [];
    // Newest first: those are mostly the last used, so once the list is full, comparing the time is usually enough.
    for (const session of directory.all().toReversed()) {
      const last = newest.length >= limit ? newest.at(-1) : undefined;
      if (last && session.updatedAt <= last.updatedAt) continue;
      if (!mayHave(normalisedTitle(session)) || !isKnown(session.projectId)) continue;
      if (findWords(session.title, words) === null) continue;
      const place = newest.findIndex(({ updatedAt }) => updatedAt < session.updatedAt);
      newest.splice(place === -1 ? newest.length : place, 0, session);
      newest = newest.slice(0, limit);
    }
    return newest;
  };
  const hitsOf = (finds: readonly ItemFind[], words: SearchWords): SearchHit[] =>
    finds.flatMap((find) => {
      const session = directory.get(find.sessionId);
      return session ? itemHit(session, find, withoutMarkup(snippetOf(find.text, words))) : [];
    });
  /** All matches in one session, newest first. */
  const inSession = (words: SearchWords, limit: number, sessionId: string): SearchHit[] =>
    hitsOf(store.searchItems({ words, limit, perSession: limit, isWanted: (id) => id === sessionId }), words);

  return {
    /** Titles first, then items, newest first. Leaves out sessions of removed folders. */
    search(input: string, limit = usualLimit, sessionId?: string): SearchHit[] {
      const words = searchWords(input);
      if (words.phrases.length === 0) return [];
      const known = new Set(projects.list().map(({ projectId }) => projectId));
      if (sessionId !== undefined) return inSession(words, limit, sessionId);
      const hits = titled(words, (projectId) => known.has(projectId), limit).map((session) =>
        titleHit(session, snippetOf(session.title, words)),
      );
      const isWanted = (sessionId: string) => known.has(directory.get(sessionId)?.projectId ?? '');
      const left = limit - hits.length;
      // Request one more per session than is shown, to know whether there are more.
      const finds =
        left > 0 ? store.searchItems({ words, limit: left + perSession, perSession: perSession + 1, isWanted }) : [];
      return [...hits, ...withoutOverflow(hitsOf(finds, words)).slice(0, left)];
    },
  };
}

/** At most a few matches per session. The last one says if there are more. */
function withoutOverflow(hits: readonly SearchHit[]): SearchHit[] {
  const counts = Map.groupBy(hits, ({ sessionId }) => sessionId);
  return hits.flatMap((hit) => {
    const ofSession = counts.get(hit.sessionId) ?? [];
    const place = ofSession.indexOf(hit);
    if (place >= perSession) return [];
    return [place === perSession - 1 && ofSession.length > perSession ? { ...hit, more: true } : hit];
  });
}

const sessionOf = ({ sessionId, title, projectId, cliType, updatedAt, archived }: SessionSummary) => ({
  sessionId,
  title,
  projectId,
  cliType,
  updatedAt,
  archived,
});

const titleHit = (session: SessionSummary, snippet: string): SearchHit => ({
  ...sessionOf(session),
  where: 'title',
  snippet,
});

/** Leaves out rows of a kind this version doesn't know. */
function itemHit(
  session: SessionSummary,
  { itemId, turnId, type, origin, at }: ItemFind,
  snippet: string,
): SearchHit[] {
  const said = MessageOrigin.safeParse(origin);
  const hit = SearchHit.safeParse({
    ...sessionOf(session),
    where: 'item',
    itemId,
    turnId,
    itemType: type,
    ...(said.success ? { origin: said.data } : {}),
    at,
    snippet,
  });
  return hit.success ? [hit.data] : [];
}
