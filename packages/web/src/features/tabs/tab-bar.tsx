import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { loudestOf } from '@liminal/domain/session/attention';
import { distinctTitles } from '../../state/sessions/titles.ts';
import { isNewSession } from '../../state/sessions/new-sessions.ts';
import { shownTabs } from '../../state/layout/tabs-store.ts';
import { useAttention } from '../../state/sessions/use-statuses.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TabListButton } from './tab-list-button.tsx';
import { Tab } from './tab.tsx';
import { useTabDrag } from './use-tab-drag.ts';
import './tabs.css';

type TabBarProps = { readonly onMenu: () => void; readonly listHidden: boolean };

/** The open sessions. Closing a tab does not end its session. */
export function TabBar({ onMenu, listHidden }: TabBarProps): ReactNode {
  const { fileViews, newSessions, panels, reviews, tabs: store, terminals } = useWorkbench();
  const { projects, sessions } = useDirectory();
  const tabs = useTabs();
  const attentionOf = useAttention();
  const inspector = useCell(panels.inspector);
  const isTerminalShown = useCell(terminals.isShown);
  const isBrowsed = useCell(fileViews.shown).has(tabs.active ?? '');
  const isReviewed = useCell(reviews.shown).has(tabs.active ?? '');
  const list = useRef<HTMLDivElement>(null);
  const drag = useTabDrag(store, list);
  // Tabs keep the focus while they move; asked for by the keys, done when they are drawn anew.
  const [focusActive, setFocusActive] = useState(0);
  const placeOf = (sessionId: string) => sessions.get(sessionId) ?? newSessions.origin(sessionId);
  const shown = shownTabs(tabs);
  const titles = distinctTitles(
    tabs.open.map((sessionId) => ({ title: '', ...placeOf(sessionId) })),
    projects,
  );
  const elsewhere = [...sessions.values()]
    .filter((session) => !session.archived)
    .map((session) => attentionOf(session.sessionId));

  useEffect(() => {
    const selected = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    selected?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (focusActive > 0) selected?.focus();
  }, [tabs.active, tabs.open, focusActive]);

  const onKeyDown = (event: KeyboardEvent, sessionId: string): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) store.move(sessionId, step);
      else store.step(step);
      setFocusActive(focusActive + 1);
    } else if (event.key === 'Delete') store.close(sessionId);
  };

  return (
    <div className={listHidden ? 'tab-bar tab-bar-wide' : 'tab-bar'}>
      <IconButton label="Projects and sessions" className="tab-menu" onClick={onMenu}>
        <Icon name="menu" />
        {loudestOf(elsewhere) === 'needs-you' && (
          <span className="tab-menu-status">
            <StatusBadge status="needs-you" />
          </span>
        )}
      </IconButton>
      <div
        ref={list}
        className="tab-list"
        role="tablist"
        aria-label="Open sessions"
        // Leaving the bar ends what the keys asked for: a tab must not take the focus later.
        onBlur={() => setFocusActive(0)}
      >
        {tabs.open.map((sessionId, index) => (
          <Tab
            key={newSessions.origin(sessionId)?.id ?? sessionId}
            sessionId={sessionId}
            title={titles[index] ?? { title: '', mark: '' }}
            status={attentionOf(sessionId).kind}
            isActive={sessionId === tabs.active}
            isBeside={sessionId !== tabs.active && shown.includes(sessionId)}
            isReachable={sessionId === tabs.active || (tabs.active === null && index === 0)}
            drop={drag.dropAt(sessionId)}
            isDragged={drag.isDragged(sessionId)}
            onPointerDown={(event) => drag.onPointerDown(event, sessionId)}
            onChoose={() => !drag.swallowsClick() && store.show(sessionId)}
            onKeyDown={(event) => onKeyDown(event, sessionId)}
          />
        ))}
      </div>
      <TabListButton titles={titles} />
      {projects.length > 0 && (
        <IconButton
          label="New session (Alt+N)"
          className="tab-new"
          onClick={() => panels.open({ name: 'new-session', ...activeProject(placeOf(tabs.active ?? '')?.projectId) })}
        >
          <Icon name="add" />
        </IconButton>
      )}
      {tabs.active !== null && !isNewSession(tabs.active) && (
        <button
          type="button"
          title="Review changes (Alt+R)"
          className="icon-button tab-review"
          aria-pressed={isReviewed}
          onClick={() => {
            fileViews.close(tabs.active ?? '');
            reviews.toggle(tabs.active ?? '');
          }}
        >
          <Icon name="review" />
          <span className="tab-review-text">Review</span>
          <ChangeCounts counts={sessions.get(tabs.active)?.ended?.changed} />
        </button>
      )}
      {tabs.active !== null && !isNewSession(tabs.active) && (
        <IconButton
          label="Files in this folder (Alt+E)"
          className="tab-files"
          aria-pressed={isBrowsed}
          onClick={() => {
            reviews.close(tabs.active ?? '');
            fileViews.toggle(tabs.active ?? '');
          }}
        >
          <Icon name="folder" />
        </IconButton>
      )}
      {projects.length > 0 && (
        <IconButton
          label="Terminal (Ctrl+`)"
          className="tab-terminal"
          aria-pressed={isTerminalShown}
          onClick={() => terminals.toggle((placeOf(tabs.active ?? '') ?? projects[0])?.projectId)}
        >
          <Icon name="execute" />
        </IconButton>
      )}
      {tabs.active !== null && !isNewSession(tabs.active) && (
        <IconButton
          label="Session details (Ctrl+I)"
          className="tab-inspector"
          aria-pressed={inspector}
          onClick={() => panels.inspector.set(!inspector)}
        >
          <Icon name="inspector" />
        </IconButton>
      )}
    </div>
  );
}

const activeProject = (projectId: string | undefined): { projectId?: string } =>
  projectId === undefined ? {} : { projectId };
