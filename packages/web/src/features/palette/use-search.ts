import { useEffect, useState } from 'react';
import type { SearchHit } from '@liminal/contracts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';

export type Search = {
  readonly hits: readonly SearchHit[];
  readonly state: 'idle' | 'searching' | 'done' | 'failed';
  readonly message: string;
};

const idle: Search = { hits: [], state: 'idle', message: '' };
const leastLetters = 2;
/** Short, because an answer takes a few milliseconds and outdated requests are aborted. */
const pauseMs = 40;
const most = 40;

/** Searches the text of all sessions while the user types; ignores late answers. */
export function useSearch(typed: string): Search {
  const { api } = useWorkbench();
  const [held, setHeld] = useState<Search & { readonly query: string }>({ ...idle, query: '' });
  const query = typed.trim();
  const isAsked = query.length >= leastLetters;
  useEffect(() => {
    if (!isAsked) return undefined;
    const asked = new AbortController();
    const timer = setTimeout(async () => {
      const reply = await api.workbench.search({ q: query, limit: most }, { signal: asked.signal });
      if (asked.signal.aborted) return;
      setHeld(
        reply.ok
          ? { query, hits: reply.value.hits, state: 'done', message: '' }
          : { query, hits: [], state: 'failed', message: reply.failure.message },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [api, query, isAsked]);
  if (!isAsked) return idle;
  // Results for the shorter query stay until the answer arrives, so the list doesn't flicker.
  return held.query === query ? held : { ...held, state: 'searching' };
}
