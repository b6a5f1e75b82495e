import { useMemo, useState, type ReactNode } from 'react';
import { listSessions } from './list-sessions.ts';
import { ListControls } from './list-controls.tsx';
import { SessionList } from './session-list.tsx';
import { attentionOf } from '@liminal/domain/session/attention';
import { newestFirst } from '../../state/workbench/directory-store.ts';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { keysText } from '../../ui/keys.ts';
import { ProjectSection } from './project-section.tsx';
import './sidebar.css';

type SidebarProps = {
  /** Something was chosen: a list that covers the page can close. */
  readonly onChosen: () => void;
  readonly onHide: () => void;
  /** The edge that resizes it. */
  readonly children: ReactNode;
};

/** Projects and their sessions, and the buttons to start something. */
export function Sidebar({ onChosen, onHide, children }: SidebarProps): ReactNode {
  const { panels, tabs } = useWorkbench();
  const { listView } = useWorkbench();
  const { projects, sessions, loaded } = useDirectory();
  const { group } = useCell(listView);
  const [filter, setFilter] = useState('');
  const listed = useMemo(() => listSessions(projects, sessions, filter), [projects, sessions, filter]);
  const isFiltered = filter.trim() !== '';
  const isEmpty = isFiltered && listed.every((each) => each.sessions.length === 0);
  return (
    <nav className="sidebar" aria-label="Projects and sessions">
      <header className="sidebar-head">
        <button
          type="button"
          className="sidebar-name"
          onClick={() => {
            panels.inbox.set(false);
            tabs.leave();
            onChosen();
          }}
        >
          <BrandMark />
          Liminal Builder
        </button>
        <IconButton label="Search sessions and actions" onClick={() => panels.open({ name: 'palette', mode: 'all' })}>
          <Icon name="search" />
        </IconButton>
        <IconButton label="Add project" onClick={() => panels.open({ name: 'add-project' })}>
          <Icon name="addFolder" />
        </IconButton>
        <IconButton label="Hide sidebar" onClick={onHide}>
          <Icon name="sidebar" />
        </IconButton>
      </header>
      {projects.length > 0 && (
        <button
          type="button"
          className="sidebar-link"
          onClick={() => {
            panels.open({ name: 'new-session' });
            onChosen();
          }}
        >
          <Icon name="compose" />
          New session
          <kbd className="key-hint">{keysText({ code: 'KeyN', label: 'N', alt: true })}</kbd>
        </button>
      )}
      <InboxLink onChosen={onChosen} />
      {sessions.size > 0 && <ListControls filter={filter} onFilter={setFilter} />}
      <div className="sidebar-list">
        {group === 'project' &&
          listed
            .filter((each) => !isFiltered || each.sessions.length > 0)
            .map((each) => (
              <ProjectSection key={each.project.projectId} {...each} isFiltered={isFiltered} onChosen={onChosen} />
            ))}
        {group === 'none' && (
          <SessionList
            isMixed
            sessions={listed.flatMap((each) => each.sessions).toSorted(newestFirst)}
            archived={listed.flatMap((each) => each.archived)}
            onChosen={onChosen}
          />
        )}
        {isEmpty && <p className="sidebar-empty muted">No session matches.</p>}
        {loaded && projects.length === 0 && <p className="sidebar-empty muted">No projects yet.</p>}
      </div>
      <footer className="sidebar-foot">
        <Button look="quiet" onClick={() => panels.open({ name: 'settings' })}>
          <Icon name="settings" />
          Settings
        </Button>
        <Button look="quiet" onClick={() => panels.open({ name: 'shortcuts' })}>
          Shortcuts <kbd className="key-hint">?</kbd>
        </Button>
      </footer>
      {children}
    </nav>
  );
}

/** Opens the inbox; its number counts only sessions that wait for an answer. */
function InboxLink({ onChosen }: { readonly onChosen: () => void }): ReactNode {
  const { panels } = useWorkbench();
  const { sessions } = useDirectory();
  const isShown = useCell(panels.inbox);
  const waiting = [...sessions.values()].filter(
    (session) => !session.archived && attentionOf(session).kind === 'needs-you',
  ).length;
  return (
    <button
      type="button"
      className="sidebar-link"
      title="Alt+I"
      {...(isShown ? { 'aria-current': 'page' as const } : {})}
      onClick={() => {
        panels.inbox.set(true);
        onChosen();
      }}
    >
      <Icon name="inbox" />
      Inbox
      {waiting > 0 && (
        <span
          className="count-badge"
          role="img"
          aria-label={`${plural(waiting, 'session needs', 'sessions need')} you`}
        >
          {waiting}
        </span>
      )}
    </button>
  );
}
