import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Project, SessionSummary } from '@liminal/contracts';
import { sortSessions } from '../../state/layout/list-view.ts';
import { branchOf } from '../../state/sessions/branch-of.ts';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { SessionRow } from './session-row.tsx';

type SessionListProps = {
  readonly sessions: readonly SessionSummary[];
  readonly archived: readonly SessionSummary[];
  /** The list has sessions of all projects, so each shows its project. */
  readonly isMixed?: boolean;
  readonly onChosen: () => void;
  /** Shown in a list without sessions. */
  readonly children?: ReactNode;
};

/** How many sessions are shown before the user asks for all. */
const first = 12;

/** Sessions in the chosen order, which the user can change by dragging and by key. */
export function SessionList({ sessions, archived, isMixed = false, onChosen, children }: SessionListProps): ReactNode {
  const { listView } = useWorkbench();
  const { projects, providers } = useDirectory();
  const view = useCell(listView);
  const [all, setAll] = useState(false);
  const [withArchived, setWithArchived] = useState(false);
  const sorted = sortSessions(sessions, view);
  const shown = all ? sorted : sorted.slice(0, first);
  // A ref, because rows read it only when they are moved: a new order redraws none of them.
  const order = useRef<readonly string[]>([]);
  useEffect(() => {
    order.current = sorted.map(({ sessionId }) => sessionId);
  });

  const projectOf = (session: SessionSummary): Project | undefined =>
    projects.find(({ projectId }) => projectId === session.projectId);

  return (
    <ul className="session-list">
      {[...shown, ...(withArchived ? archived : [])].map((session) => (
        <SessionRow
          key={session.sessionId}
          session={session}
          agent={providers.find(({ cliType }) => cliType === session.cliType)?.name ?? session.cliType}
          branch={branchOf(session, projectOf(session))}
          {...(isMixed && { project: projectOf(session)?.name })}
          onChosen={onChosen}
          order={order}
        />
      ))}
      {sessions.length === 0 && children}
      {shown.length < sessions.length && (
        <li>
          <button type="button" className="session-start" onClick={() => setAll(true)}>
            {`Show ${sessions.length - shown.length} older`}
          </button>
        </li>
      )}
      {archived.length > 0 && (
        <li>
          <button
            type="button"
            className="session-start"
            aria-expanded={withArchived}
            onClick={() => setWithArchived(!withArchived)}
          >
            {withArchived ? 'Hide archived' : `Show ${archived.length} archived`}
          </button>
        </li>
      )}
    </ul>
  );
}
