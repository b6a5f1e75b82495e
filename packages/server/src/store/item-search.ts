import type { SearchWords } from '@liminal/domain/search/find-words';

export type ItemSearch = {
  readonly words: SearchWords;
  readonly limit: number;
  /** At most this many of one session, so a long one does not hide the others. */
  readonly perSession: number;
  readonly isWanted: (sessionId: string) => boolean;
};

/** An item in which all words were found. */
export type ItemFind = {
  readonly sessionId: string;
  readonly itemId: string;
  readonly turnId: string;
  readonly type: string;
  readonly origin: string | null;
  readonly at: string;
  readonly text: string;
};

/** Takes finds one by one, newest first, until there are enough. */
export function createFindCollector({ limit, perSession, isWanted }: ItemSearch) {
  const counts = new Map<string, number>();
  let taken = 0;
  return {
    wants: (sessionId: string): boolean => (counts.get(sessionId) ?? 0) < perSession && isWanted(sessionId),
    take(sessionId: string): void {
      counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
      taken += 1;
    },
    isFull: (): boolean => taken >= limit,
  };
}
