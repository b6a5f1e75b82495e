import { useState, type ReactNode } from 'react';
import type { SessionSummary } from '@liminal/contracts';
import { attentionOf } from '@liminal/domain/session/attention';
import { useNow } from '../../state/base/use-now.ts';
import { createAnswerGuard } from '../../state/sessions/answer-guard.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { InboxRow } from './inbox-row.tsx';
import './inbox.css';

/** The first rows of the inbox, for the first screen. */
export function InboxSummary({ sessions }: { readonly sessions: readonly SessionSummary[] }): ReactNode {
  const { panels } = useWorkbench();
  const { projects, providers } = useDirectory();
  const [mayAnswer] = useState(createAnswerGuard);
  const minute = useNow(30_000);
  const waiting = sessions.filter((session) => attentionOf(session).kind === 'needs-you').length;
  if (sessions.length === 0) return null;
  return (
    <section aria-labelledby="home-inbox">
      <header className="home-head">
        <h2 id="home-inbox">Inbox</h2>
        {waiting > 0 && <span className="count-badge">{waiting}</span>}
        <button type="button" className="home-more" onClick={() => panels.inbox.set(true)}>
          Open inbox
        </button>
      </header>
      <ul className="inbox-list home-inbox">
        {sessions.map((session) => (
          <InboxRow
            key={session.sessionId}
            session={session}
            project={projects.find((each) => each.projectId === session.projectId)?.name ?? ''}
            agent={providers.find((each) => each.cliType === session.cliType)?.name ?? session.cliType}
            minute={minute}
            mayAnswer={mayAnswer}
          />
        ))}
      </ul>
    </section>
  );
}
