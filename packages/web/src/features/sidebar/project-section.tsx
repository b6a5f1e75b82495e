import { useState, type ReactNode } from 'react';
import type { Project, SessionSummary } from '@liminal/contracts';
import { sessionsOf } from '../../state/directory-store.ts';
import { titleOf } from '../../state/titles.ts';
import { useNow } from '../../state/use-now.ts';
import { useSigns } from '../../state/use-signs.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from '../../state/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatAgo } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { signWords } from '../../ui/sign.ts';
import { SignMark } from '../../ui/sign-mark.tsx';

type ProjectSectionProps = {
  readonly project: Project;
  readonly onChosen: () => void;
  readonly onNew: () => void;
};

/** How many sessions show before one asks for all. */
const first = 12;

/** One project and its sessions, newest first. */
export function ProjectSection({ project, onChosen, onNew }: ProjectSectionProps): ReactNode {
  const { tabs } = useWorkbench();
  const directory = useDirectory();
  const [all, setAll] = useState(false);
  const [folded, setFolded] = useFolded(project.projectId);
  const sessions = sessionsOf(directory, project.projectId);
  const agentNames = new Map(directory.providers.map((provider) => [provider.cliType, provider.name]));
  const shown = all ? sessions : sessions.slice(0, first);
  return (
    <section className="project" aria-label={project.name}>
      <div className="project-head">
        <button
          type="button"
          className="project-name"
          aria-expanded={!folded}
          title={project.dir}
          onClick={() => setFolded(!folded)}
        >
          <span className={folded ? 'project-chevron' : 'project-chevron project-chevron-open'}>
            <Icon name="chevron" size={12} />
          </span>
          <span className="project-words">{project.name}</span>
        </button>
        <IconButton label={`New session in ${project.name}`} onClick={onNew}>
          <Icon name="add" />
        </IconButton>
      </div>
      {!folded && (
        <ul className="session-list">
          {shown.map((session) => (
            <SessionLink
              key={session.sessionId}
              session={session}
              agentName={agentNames.get(session.cliType) ?? session.cliType}
              onClick={() => {
                tabs.show(session.sessionId);
                onChosen();
              }}
            />
          ))}
          {sessions.length === 0 && (
            <li>
              <button type="button" className="session-start" onClick={onNew}>
                Start the first session
              </button>
            </li>
          )}
          {shown.length < sessions.length && (
            <li>
              <button type="button" className="session-start" onClick={() => setAll(true)}>
                {`Show ${sessions.length - shown.length} older`}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

type SessionLinkProps = {
  readonly session: SessionSummary;
  readonly agentName: string;
  readonly onClick: () => void;
};

function SessionLink({ session, agentName, onClick }: SessionLinkProps): ReactNode {
  const sign = useSigns()(session.sessionId);
  const isActive = useTabs().active === session.sessionId;
  const ago = formatAgo(session.updatedAt, useNow(60_000));
  const state = sign === 'waiting' || sign === 'failed' ? signWords[sign] : ago;
  return (
    <li>
      <button
        type="button"
        className={isActive ? 'session-link session-link-active' : 'session-link'}
        {...(isActive ? { 'aria-current': 'page' as const } : {})}
        title={titleOf(session)}
        onClick={onClick}
      >
        <SignMark sign={sign} />
        <span className="session-words">{titleOf(session)}</span>
        <span className={`session-facts session-facts-${sign}`}>{`${agentName} · ${state}`}</span>
      </button>
    </li>
  );
}

function useFolded(projectId: string): [boolean, (folded: boolean) => void] {
  const { folds } = useWorkbench();
  const folded = useCell(folds).has(projectId);
  return [folded, (next) => folds.fold(projectId, next)];
}
