import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { SearchHit } from '@liminal/contracts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useHighlights } from './use-highlights.ts';
import './find-bar.css';

type Place = { readonly sessionId: string; readonly turnId?: string | undefined; readonly itemId?: string | undefined };
type FindBarProps = { readonly sessionId: string; readonly onReveal: (place: Place) => Promise<void> };

const most = 200;
const pauseMs = 80;
const leastLetters = 2;

type Found = { readonly query: string; readonly hits: readonly SearchHit[]; readonly problem: string };
const nothing: Found = { query: '', hits: [], problem: '' };

/** Finds text in a whole conversation, including turns that aren't loaded yet, and moves between matches. */
export function FindBar({ sessionId, onReveal }: FindBarProps): ReactNode {
  const { panels } = useWorkbench();
  return useCell(panels.find) === sessionId ? <OpenBar sessionId={sessionId} onReveal={onReveal} /> : null;
}

function OpenBar({ sessionId, onReveal }: FindBarProps): ReactNode {
  const { api, panels } = useWorkbench();
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<Found>(nothing);
  const [place, setPlace] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const bar = useRef<HTMLElement>(null);
  useEffect(() => input.current?.focus(), []);
  const query = typed.trim();
  useHighlights(bar, query.length < leastLetters ? '' : query);

  useEffect(() => {
    if (query.length < leastLetters) return undefined;
    const asked = new AbortController();
    const timer = setTimeout(async () => {
      const reply = await api.workbench.search({ q: query, sessionId, limit: most }, { signal: asked.signal });
      if (asked.signal.aborted) return;
      // The newest match is the nearest for a user who reads at the end.
      const hits = reply.ok ? reply.value.hits.toReversed() : [];
      setFound({ query, hits, problem: reply.ok ? '' : reply.failure.message });
      setPlace(hits.length - 1);
      const last = hits.at(-1);
      if (last !== undefined) void onReveal(last);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [api, onReveal, sessionId, query]);

  const { hits, problem } = query.length < leastLetters ? nothing : found;
  const go = (step: number): void => {
    if (hits.length === 0) return;
    const next = (place + step + hits.length) % hits.length;
    const hit = hits[next];
    setPlace(next);
    if (hit !== undefined) void onReveal(hit);
  };
  const close = (): void => {
    panels.find.set(null);
    panels.composerFocus.set(sessionId);
  };
  const count =
    query.length < leastLetters || found.query !== query
      ? ''
      : hits.length === 0
        ? 'No matches'
        : `${place + 1} of ${hits.length}${hits.length === most ? '+' : ''}`;

  return (
    <search ref={bar} className="find-bar">
      <input
        ref={input}
        className="input"
        aria-label="Find in conversation"
        placeholder="Find in conversation"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            event.stopPropagation();
            close();
          }
          if (event.key === 'Enter') {
            event.preventDefault();
            // The search starts at the newest match, so the next one is older.
            go(event.shiftKey ? 1 : -1);
          }
        }}
      />
      <span className="find-count" role="status">
        {problem === '' ? count : problem}
      </span>
      <IconButton label="Previous match" disabled={hits.length === 0} onClick={() => go(-1)}>
        <Icon name="arrowUp" />
      </IconButton>
      <IconButton label="Next match" disabled={hits.length === 0} onClick={() => go(1)}>
        <Icon name="arrowDown" />
      </IconButton>
      <IconButton label="Close find" onClick={close}>
        <Icon name="close" />
      </IconButton>
    </search>
  );
}
