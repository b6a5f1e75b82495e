import type { KeyboardEvent, ReactNode } from 'react';
import { distinctTitles } from '../../state/titles.ts';
import { useSigns } from '../../state/use-signs.ts';
import { useDirectory, useTabs, useWorkbench } from '../../state/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SignMark } from '../../ui/sign-mark.tsx';
import './tabs.css';

/** The open sessions. Closing a tab does not end its session. */
export function TabBar({ onMenu }: { readonly onMenu: () => void }): ReactNode {
  const { tabs: store } = useWorkbench();
  const { projects, sessions } = useDirectory();
  const tabs = useTabs();
  const signOf = useSigns();
  const titles = distinctTitles(
    tabs.open.map((sessionId) => sessions.get(sessionId)),
    projects,
  );

  const onKeyDown = (event: KeyboardEvent, sessionId: string): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) store.move(sessionId, step);
      else store.step(step);
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus());
    } else if (event.key === 'Delete') store.close(sessionId);
  };

  return (
    <div className="tab-bar">
      <IconButton label="Projects and sessions" className="tab-menu" onClick={onMenu}>
        <Icon name="menu" />
      </IconButton>
      <div className="tab-list" role="tablist" aria-label="Open sessions">
        {tabs.open.map((sessionId, index) => {
          const isActive = sessionId === tabs.active;
          const sign = signOf(sessionId);
          const { title, mark } = titles[index] ?? { title: '', mark: '' };
          const words = mark === '' ? title : `${title} · ${mark}`;
          return (
            <button
              key={sessionId}
              type="button"
              role="tab"
              id={`tab-${sessionId}`}
              className={isActive ? `tab tab-${sign} tab-active` : `tab tab-${sign}`}
              aria-selected={isActive}
              aria-keyshortcuts="Delete"
              {...(isActive ? { 'aria-controls': 'session-panel' } : {})}
              tabIndex={isActive || (tabs.active === null && index === 0) ? 0 : -1}
              title={words}
              onClick={() => store.show(sessionId)}
              onKeyDown={(event) => onKeyDown(event, sessionId)}
              onAuxClick={(event) => event.button === 1 && store.close(sessionId)}
            >
              <SignMark sign={sign} />
              <span className="tab-words">{title}</span>
              {mark !== '' && <span className="tab-mark">{mark}</span>}
              {/* For the mouse only: a tab holds no further controls, and the Delete key closes it as well. */}
              <span
                className="tab-close"
                aria-hidden="true"
                title="Close the tab"
                onClick={(event) => {
                  event.stopPropagation();
                  store.close(sessionId);
                }}
              >
                <Icon name="close" size={12} />
              </span>
            </button>
          );
        })}
      </div>
    </div>
  );
}
