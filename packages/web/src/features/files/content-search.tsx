import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { GrepLine, GrepMatch } from '@liminal/contracts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { plural } from '../../ui/format.ts';

type Found = { readonly matches: readonly GrepMatch[]; readonly note: string };
type ContentSearchProps = {
  readonly projectId: string;
  readonly worktreeId: string | undefined;
  readonly onOpen: (match: GrepMatch) => void;
};

const mostShown = 500;
/** Found lines are shown in bursts: a search brings thousands of them. */
const showEveryMs = 60;

/** Searches in the contents of a project's files; what is found comes in while it continues. */
export function ContentSearch({ projectId, worktreeId, onOpen }: ContentSearchProps): ReactNode {
  const { api } = useWorkbench();
  const [query, setQuery] = useState('');
  const [isPattern, setPattern] = useState(false);
  const [isCase, setCase] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const search = (): void => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    if (query.trim() === '') return setFound(null);
    const matches: GrepMatch[] = [];
    let shownAt = 0;
    let end: GrepLine | null = null;
    const show = (note: string): void => {
      shownAt = performance.now();
      setFound({ matches: matches.slice(0, mostShown), note });
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
      if (!control.signal.aborted) show(reply.ok ? noteOf(matches.length, end) : reply.failure.message);
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
            <input type="checkbox" checked={isPattern} onChange={(event) => setPattern(event.target.checked)} /> Pattern
          </label>
        </div>
      </form>
      <p className="files-note" role="status">
        {found?.note ?? 'Type something and press Enter.'}
      </p>
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

function noteOf(count: number, end: GrepLine | null): string {
  if (end !== null && 'done' in end && end.error !== undefined) return end.error;
  if (count === 0) return 'Nothing found.';
  const more = count > mostShown ? `, the first ${mostShown} shown` : '';
  const isCut = end !== null && 'done' in end && end.truncated;
  return `${plural(count, 'line')}${isCut ? ' or more' : ''}${more}`;
}
