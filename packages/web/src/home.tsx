import { useMemo, type ReactNode } from 'react';
import type { SessionSummary } from '@liminal/contracts';
import { inboxOf } from '@liminal/domain/session/inbox';
import { StartBox } from './features/composer/start/start-box.tsx';
import { ProjectCards } from './features/home/project-cards.tsx';
import { RecentSessions } from './features/home/recent-sessions.tsx';
import { Welcome } from './features/home/welcome.tsx';
import { InboxSummary } from './features/inbox/inbox-summary.tsx';
import { useNow } from './state/base/use-now.ts';
import { newestFirst } from './state/workbench/directory-store.ts';
import { useDirectory } from './state/workbench/use-workbench.ts';
import './features/home/home.css';

const [mostInbox, mostRecent] = [4, 6];

/** The first screen: start a session, see which ones need the user, and return to recent ones. */
export function Home({ isNarrow }: { readonly isNarrow: () => boolean }): ReactNode {
  const { projects, sessions, loaded, failure } = useDirectory();
  const minute = useNow(30_000);
  const { inbox, recent } = useMemo(() => listed([...sessions.values()], minute), [sessions, minute]);
  if (!loaded && failure === null) return <div className="home" aria-busy="true" />;
  if (projects.length === 0) return <Welcome />;
  return (
    <div className="home">
      <div className="home-body">
        <section aria-labelledby="home-start">
          <h1 id="home-start">New session</h1>
          {/* On a phone the keyboard would cover the page. */}
          <StartBox isFirst={!isNarrow()} />
        </section>
        <InboxSummary sessions={inbox} />
        <RecentSessions sessions={recent} />
        <ProjectCards />
      </div>
    </div>
  );
}

function listed(sessions: readonly SessionSummary[], now: number) {
  const sections = inboxOf(sessions, new Date(now).toISOString());
  const inbox = (['needs-you', 'failed', 'done'] as const).flatMap((name) => sections.get(name) ?? []);
  const shown = inbox.slice(0, mostInbox);
  const recent = sessions.filter((session) => !session.archived && !shown.includes(session)).sort(newestFirst);
  return { inbox: shown, recent: recent.slice(0, mostRecent) };
}
