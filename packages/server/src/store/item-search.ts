import type { SearchWords } from '@liminal/domain/search/find-words';

export type ItemSearch = {
  readonly words: SearchWords;
  readonly limit: number;
  /** At most this many per session, so a long session doesn't hide the others. */
  readonly perSession: number;
  readonly isWanted: (sessionId: string) => boolean;
};

/** An item that contains all words. */
export type ItemFind = {
  readonly sessionId: string;
  readonly itemId: string;
  readonly turnId: string;
  readonly type: string;
  readonly origin: string | null;
  readonly at: string;
  readonly text: string;
};

/** Collects finds one by one, newest first, until the limit is reached. */
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
