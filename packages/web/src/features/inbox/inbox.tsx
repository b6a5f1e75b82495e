import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { inboxOf, inboxSections, type InboxSection } from '@liminal/domain/session/inbox';
import { useNow } from '../../state/base/use-now.ts';
import { createAnswerGuard } from '../../state/sessions/answer-guard.ts';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { InboxRow } from './inbox-row.tsx';
import './inbox.css';

const headings: Record<InboxSection, string> = {
  'needs-you': 'Needs you',
  failed: 'Failed',
  done: 'Done, not seen',
  working: 'Working',
  unknown: 'Machine unreachable',
  pinned: 'Pinned',
};

const keys = [
  ['J K', 'move'],
  ['Enter', 'open'],
  ['F', 'follow up'],
  ['P', 'pin'],
  ['S', 'snooze'],
  ['U', 'unread'],
  ['Z', 'undo'],
] as const;

const opener = '.inbox-open';

/** Every session that needs the user, ended unseen, is working or is pinned. Fully usable by keyboard. */
export function Inbox(): ReactNode {
  const { panels } = useWorkbench();
  const { sessions, projects, providers, loaded } = useDirectory();
  const minute = useNow(30_000);
  const list = useRef<HTMLDivElement>(null);
  const place = useRef(0);
  // One for all rows: the next row moves up to where an answered one was.
  const [mayAnswer] = useState(createAnswerGuard);
  const inbox = useMemo(() => inboxOf(sessions.values(), new Date(minute).toISOString()), [sessions, minute]);
  const projectNames = useMemo(() => new Map(projects.map((each) => [each.projectId, each.name])), [projects]);
  const agentNames = useMemo(() => new Map(providers.map((each) => [each.cliType, each.name])), [providers]);
  const count = [...inbox.values()].reduce((total, listed) => total + listed.length, 0);

  useEffect(() => list.current?.querySelector<HTMLElement>(opener)?.focus(), []);
  // An answered row disappears and takes the focus with it: focus the row in its place.
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(opener) ?? [])];
    (rows[Math.min(place.current, rows.length - 1)] ?? list.current)?.focus();
  }, [inbox]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      return panels.inbox.set(false);
    }
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(opener) ?? [])];
    const row = event.target instanceof Element ? event.target.closest('.inbox-row') : null;
    const from = rows.findIndex((each) => row?.contains(each));
    const to = { ArrowDown: from + 1, j: from + 1, ArrowUp: from - 1, k: from - 1, Home: 0, End: rows.length - 1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    rows[Math.max(0, Math.min(to, rows.length - 1))]?.focus();
  };

  return (
    <div
      className="inbox"
      ref={list}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const rows = [...event.currentTarget.querySelectorAll('.inbox-row')];
        const at = rows.findIndex((row) => row.contains(event.target));
        if (at >= 0) place.current = at;
      }}
    >
      <div className="inbox-body">
        <h1>Inbox</h1>
        {loaded && count === 0 && (
          <div className="inbox-empty">
            <p className="inbox-empty-title">Nothing needs you</p>
            <p className="muted">Sessions that ask, fail, finish or are working show up here.</p>
            <Button onClick={() => panels.open({ name: 'new-session' })}>New session</Button>
          </div>
        )}
        {inboxSections.map((section) => {
          const listed = inbox.get(section) ?? [];
          if (listed.length === 0) return null;
          return (
            <section key={section} aria-labelledby={`inbox-${section}`}>
              <h2 id={`inbox-${section}`}>
                {headings[section]} <span className="muted">{listed.length}</span>
              </h2>
              <ul className="inbox-list">
                {listed.map((session) => (
                  <InboxRow
                    key={session.sessionId}
                    session={session}
                    project={projectNames.get(session.projectId) ?? ''}
                    agent={agentNames.get(session.cliType) ?? session.cliType}
                    minute={minute}
                    mayAnswer={mayAnswer}
                  />
                ))}
              </ul>
            </section>
          );
        })}
        {count > 0 && (
          <p className="inbox-keys muted">
            {keys.map(([key, what]) => (
              <span key={key}>
                <kbd className="key-hint">{key}</kbd> {what}
              </span>
            ))}
          </p>
        )}
      </div>
      <UndoLine />
    </div>
  );
}

/** The last action, with undo. */
function UndoLine(): ReactNode {
  const { marking } = useWorkbench();
  const last = useCell(marking.last);
  useEffect(() => {
    if (last === null) return undefined;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
      if (event.key !== 'z' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      last.undo();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [last]);
  return (
    <div role="status">
      {last !== null && (
        <div className="inbox-undo">
          {last.notice}
          <Button look="quiet" onClick={last.undo}>
            Undo <kbd className="key-hint">Z</kbd>
          </Button>
        </div>
      )}
    </div>
  );
}
