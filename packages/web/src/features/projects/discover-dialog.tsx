import { useEffect, useState, type ReactNode } from 'react';
import type { DiscoveredSession, Project } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import { useNow } from '../../state/base/use-now.ts';
import { useDirectory, useLateFailure, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { formatAgo, formatBytes } from '../../ui/format.ts';
import { showControls } from '@liminal/domain/text/visible-text';
import './projects.css';

type Found =
  | { readonly phase: 'looking' }
  | { readonly phase: 'found'; readonly sessions: readonly DiscoveredSession[] }
  | { readonly phase: 'failed'; readonly failure: ApiFailure };

type DiscoverDialogProps = { readonly project: Project; readonly onClose: () => void };

/** Sessions that the agents' own programs created in this folder; opening one imports its history. */
export function DiscoverDialog({ project, onClose }: DiscoverDialogProps): ReactNode {
  const { api, load } = useWorkbench();
  const { providers } = useDirectory();
  const reportLate = useLateFailure();
  const now = useNow(60_000);
  const [found, setFound] = useState<Found>({ phase: 'looking' });
  const [filter, setFilter] = useState('');
  const [opening, setOpening] = useState<string | null>(null);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    let isCurrent = true;
    void api.session.discover({ projectId: project.projectId }).then((reply) => {
      if (!isCurrent) return;
      setFound(
        reply.ok ? { phase: 'found', sessions: reply.value.sessions } : { phase: 'failed', failure: reply.failure },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [api, project.projectId]);

  const open = async ({ sessionId, cliType }: DiscoveredSession): Promise<void> => {
    setOpening(sessionId);
    const failure = await load(sessionId, { cliType, projectId: project.projectId });
    setOpening(null);
    if (failure === null) return onClose();
    setProblem(failure.message);
    reportLate("Couldn't import the session.", failure);
    return undefined;
  };

  const sessions = found.phase === 'found' ? found.sessions : [];
  const wanted = filter.trim().toLowerCase();
  const shown = sessions
    .filter((session) => session.title.toLowerCase().includes(wanted))
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  return (
    <Dialog title={`Import terminal sessions · ${project.name}`} onClose={onClose} wide>
      {sessions.length > 8 && (
        <input
          className="input"
          aria-label="Filter by title"
          placeholder="Filter by title"
          value={filter}
          autoFocus
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <p className="muted" role="status">
        {found.phase === 'looking' && 'Looking for sessions…'}
        {found.phase === 'found' && sessions.length === 0 && 'No other sessions found.'}
        {found.phase === 'failed' && found.failure.message}
      </p>
      {problem !== '' && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <ul className="agent-list found-list">
        {shown.map((session) => (
          <li key={session.sessionId}>
            <button type="button" className="agent" disabled={opening !== null} onClick={() => void open(session)}>
              <span className="agent-name found-title" dir="auto">
                {session.title === '' ? 'Untitled' : showControls(session.title)}
              </span>
              <span className="muted">
                {opening === session.sessionId
                  ? 'Opening…'
                  : [
                      providers.find((provider) => provider.cliType === session.cliType)?.name ?? session.cliType,
                      formatAgo(session.updatedAt, now),
                      formatBytes(session.size),
                    ].join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
