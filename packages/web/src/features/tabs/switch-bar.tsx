import type { ReactNode } from 'react';
import { isNewSession } from '../../state/sessions/new-sessions.ts';
import { readTab } from '../../state/layout/tab-id.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import './switch-bar.css';

/** A phone shows one thing at a time: this bar switches between them. */
export function SwitchBar(): ReactNode {
  const { activeSession, fileViews, panels, reviews, tabs, terminals } = useWorkbench();
  const { active } = useTabs();
  const session = useDirectory().sessions.get(activeSession() ?? '');
  const isTerminalShown = useCell(terminals.isShown);
  const isInboxShown = useCell(panels.inbox);
  if (session === undefined || isNewSession(session.sessionId) || isInboxShown) return null;
  const { sessionId, projectId, place } = session;
  const kind = isTerminalShown ? 'terminal' : readTab(active ?? '').kind;
  const button = (name: typeof kind, label: string, icon: IconName, onChoose: () => void): ReactNode => (
    <button
      type="button"
      className="switch-button"
      aria-current={kind === name ? 'page' : undefined}
      onClick={() => {
        if (kind === name) return;
        if (name !== 'terminal') terminals.isShown.set(false);
        onChoose();
      }}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
  return (
    <nav className="switch-bar" aria-label="Parts of this session">
      {button('session', 'Conversation', 'comment', () => tabs.show(sessionId))}
      {button('review', 'Review', 'review', () => reviews.open(sessionId))}
      {button('file', 'Files', 'folder', () => fileViews.browse(sessionId))}
      {button('terminal', 'Terminal', 'execute', () => terminals.toggle(projectId, place?.worktreeId))}
    </nav>
  );
}
