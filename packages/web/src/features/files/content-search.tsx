import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { GrepLine, GrepMatch } from '@liminal/contracts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { plural } from '../../ui/format.ts';
import { LoadFailed } from '../../ui/list-state.tsx';
import './content-search.css';

type Found = {
  readonly matches: readonly GrepMatch[];
  readonly note: string;
  /** Why the search stopped early. */
  readonly fault: string | null;
};
type GrepEnd = Extract<GrepLine, { done: unknown }>;
type ContentSearchProps = {
  readonly projectId: string;
  readonly worktreeId: string | undefined;
  readonly onOpen: (match: GrepMatch) => void;
};

const mostShown = 500;
/** Redraws at most this often, because a search can return thousands of lines. */
const showEveryMs = 60;

/** Searches the contents of a project's files and shows matches as they arrive. */
export function ContentSearch({ projectId, worktreeId, onOpen }: ContentSearchProps): ReactNode {
  const { api } = useWorkbench();
  const [query, setQuery] = useState('');
  const [isPattern, setPattern] = useState(false);
  const [isCase, setCase] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const running = useRef<AbortController | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => () => running.current?.abort(), []);

  const search = (): void => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    if (query.trim() === '') return setFound(null);
    const matches: GrepMatch[] = [];
    let shownAt = 0;
    let end: GrepEnd | null = null;
    const show = (note: string, fault: string | null = null): void => {
      shownAt = performance.now();
      setFound({ matches: matches.slice(0, mostShown), note, fault });
    };
    show('Searching…');
    const onLine = (line: unknown): void => {
      const news = line as GrepLine;
      if ('done' in news) end = news;
      else {
        matches.push(news);
        if (performance.now() - shownAt > showEveryMs && !control.signal.aborted) show('Searching…');
      }
    };
    const body = {
      query,
      ...(isPattern && { regex: true }),
      ...(isCase && { case: true }),
      ...(worktreeId !== undefined && { worktreeId }),
    };
    void api.file.grep(projectId, body, { signal: control.signal, onLine }).then((reply) => {
      if (control.signal.aborted) return;
      const fault = reply.ok ? faultOf(end) : reply.failure.message;
      show(noteOf(matches.length, end, fault !== null), fault);
    });
  };

  return (
    <div className="files-search">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <input
          ref={input}
          className="input"
          aria-label="Search in files"
          placeholder="Search in files"
          value={query}
          autoFocus
          onChange={(event) => setQuery(event.target.value)}
        />
        <div className="files-search-options">
          <label>
            <input type="checkbox" checked={isCase} onChange={(event) => setCase(event.target.checked)} /> Match case
          </label>
          <label>
            <input type="checkbox" checked={isPattern} onChange={(event) => setPattern(event.target.checked)} /> Regular
            expression
          </label>
        </div>
      </form>
      <p className="files-note" role="status">
        {found?.note ?? 'Type something and press Enter.'}
      </p>
      {found !== null && found.fault !== null && (
        <LoadFailed
          title="Couldn't finish the search."
          message={found.fault}
          onRetry={() => {
            // The button disappears, so the focus returns to the search field.
            input.current?.focus();
            search();
          }}
        />
      )}
      <ul className="files-found">
        {found?.matches.map((match) => (
          <li key={`${match.path}:${match.line}`}>
            <button type="button" className="files-match" onClick={() => onOpen(match)}>
              <span className="files-match-place">{`${match.path}:${match.line}`}</span>
              <code>{match.text.trim()}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function faultOf(end: GrepEnd | null): string | null {
  return end === null ? 'The server stopped sending results.' : (end.error ?? null);
}

function noteOf(count: number, end: GrepEnd | null, isFailed: boolean): string {
  if (count === 0) return isFailed ? '' : 'Nothing found.';
  const more = count > mostShown ? `, showing the first ${mostShown}` : '';
  return `${plural(count, 'line')}${end?.truncated === true || isFailed ? ' or more' : ''}${more}`;
}
