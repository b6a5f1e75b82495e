import { useEffect, useState } from 'react';
import type { SearchHit } from '@liminal/contracts';
import { useWorkbench } from '../../state/use-workbench.ts';

export type Search = {
  readonly hits: readonly SearchHit[];
  readonly state: 'idle' | 'searching' | 'done' | 'failed';
  readonly message: string;
};

const idle: Search = { hits: [], state: 'idle', message: '' };
const leastLetters = 2;
/** Long enough that a word typed in one go asks once. */
const pauseMs = 120;
const most = 40;

/** Searches the text of all sessions while one types; an answer that comes late is not shown. */
export function useSearch(typed: string): Search {
  const { api } = useWorkbench();
  const [search, setSearch] = useState<Search>(idle);
  const words = typed.trim();
  useEffect(() => {
    if (words.length < leastLetters) {
      setSearch(idle);
      return undefined;
    }
    const asked = new AbortController();
    setSearch((held) => ({ ...held, state: 'searching' }));
    const timer = setTimeout(async () => {
      const reply = await api.search(words, most, asked.signal);
      if (asked.signal.aborted) return;
      setSearch(
        reply.ok
          ? { hits: reply.value.hits, state: 'done', message: '' }
          : { hits: [], state: 'failed', message: reply.failure.message },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [api, words]);
  return search;
}
