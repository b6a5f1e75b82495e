import type { ReactNode } from 'react';
import type { SessionSummary } from '@liminal/contracts';
import { attentionOf } from '@liminal/domain/session/attention';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useNow } from '../../state/base/use-now.ts';
import { branchOf } from '../../state/sessions/branch-of.ts';
import { titleOf } from '../../state/sessions/titles.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { AgentIcon } from '../../ui/agent-icon.tsx';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { formatAgo } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** The most recent sessions: state, title, place, changes and time. */
export function RecentSessions({ sessions }: { readonly sessions: readonly SessionSummary[] }): ReactNode {
  const { panels, tabs } = useWorkbench();
  const { projects } = useDirectory();
  const now = useNow(30_000);
  if (sessions.length === 0) return null;
  return (
    <section aria-labelledby="home-recent">
      <header className="home-head">
        <h2 id="home-recent">Recent</h2>
        <button type="button" className="home-more" onClick={() => panels.open({ name: 'palette', mode: 'all' })}>
          All sessions
        </button>
      </header>
      <ul className="home-list">
        {sessions.map((session) => {
          const project = projects.find((each) => each.projectId === session.projectId);
          const branch = branchOf(session, project);
          return (
            <li key={session.sessionId}>
              <button type="button" className="recent" onClick={() => tabs.show(session.sessionId)}>
                <span className="recent-status">
                  <StatusBadge status={attentionOf(session).kind} />
                </span>
                <span className="recent-title" dir="auto">
                  {titleOf(session)}
                </span>
                <span className="recent-fact">
                  <AgentIcon agent={session.cliType} size={14} />
                  <span className="recent-name">{project?.name ?? ''}</span>
                </span>
                <span className="recent-fact recent-branch">
                  {branch !== '' && (
                    <>
                      <Icon name="branch" size={12} />
                      <span className="recent-name">{showHidden(branch)}</span>
                    </>
                  )}
                </span>
                <span className="recent-counts">
                  <ChangeCounts counts={session.ended?.changed} />
                </span>
                <span className="recent-time">{formatAgo(session.updatedAt, now)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
