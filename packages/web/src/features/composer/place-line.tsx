import type { ReactNode } from 'react';
import type { Project, SessionSummary } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { branchOf } from '../../state/sessions/branch-of.ts';
import type { NewSession } from '../../state/sessions/new-sessions.ts';
import { useSession } from '../../state/sessions/use-session.ts';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { useWorktree } from '../../state/worktrees/use-worktrees.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PortLinks } from '../../ui/port-links.tsx';
import './place-line.css';

/** Where the session works, or will work once it has begun: its project, the branch, and the kind of place. */
export function PlaceLine(): ReactNode {
  const { sessionId } = useSession().store;
  const { newSessions } = useWorkbench();
  const { sessions, projects } = useDirectory();
  useCell(newSessions);
  const session = sessions.get(sessionId);
  // Until the server lists a session that has just begun, its place is the one that was chosen for it.
  const chosen = session === undefined ? newSessions.origin(sessionId) : undefined;
  const project = projects.find(({ projectId }) => projectId === (session ?? chosen)?.projectId);
  if (session !== undefined) return <CurrentPlace session={session} project={project} />;
  return chosen === undefined || project === undefined ? null : <ChosenPlace chosen={chosen} project={project} />;
}

type CurrentPlaceProps = { readonly session: SessionSummary; readonly project: Project | undefined };

/** With the ports that its agent opened. */
function CurrentPlace({ session, project }: CurrentPlaceProps): ReactNode {
  const { panels, terminals } = useWorkbench();
  const agentPorts = useCell(terminals.agentPorts);
  const { sessionId, projectId, place } = session;
  const folder = place?.folder ?? project?.dir ?? '';
  if (folder === '') return null;
  const worktreeId = place?.worktreeId;
  return (
    <Line
      name={project?.name ?? folder}
      folder={folder}
      branch={branchOf(session, project)}
      kind={place?.kind === 'worktree' ? 'worktree' : 'project folder'}
    >
      <PortLinks ports={agentPorts.find((each) => each.sessionId === sessionId)?.ports} />
      {worktreeId !== undefined && (
        <Button
          look="quiet"
          className="place-line-action"
          onClick={() => panels.open({ name: 'bring-back', projectId, worktreeId })}
        >
          Merge or publish…
        </Button>
      )}
    </Line>
  );
}

type ChosenPlaceProps = { readonly chosen: NewSession; readonly project: Project };

function ChosenPlace({ chosen: { place }, project: { name, dir, branch = '' } }: ChosenPlaceProps): ReactNode {
  const made = useWorktree(place?.worktreeId);
  if (place === undefined) return <Line name={name} folder={dir} branch={branch} kind="project folder" />;
  if (place.worktreeId !== undefined)
    return <Line name={name} folder={made?.folder} branch={made?.branch ?? ''} kind="worktree" />;
  const kind = place.base === undefined ? 'new worktree' : `new worktree from ${showHidden(place.base)}`;
  return <Line name={name} branch={place.branch ?? ''} kind={kind} />;
}

type LineProps = {
  readonly name: string;
  /** Undefined while it isn't known. */
  readonly folder?: string | undefined;
  readonly branch: string;
  readonly kind: string;
  readonly children?: ReactNode;
};

const Line = ({ name, folder, branch, kind, children }: LineProps): ReactNode => (
  <p className="place-line" title={folder === undefined ? undefined : showHidden(folder)}>
    <Icon name="folder" size={12} />
    <span className="place-line-folder">{showHidden(name)}</span>
    {branch !== '' && (
      <>
        <Icon name="branch" size={12} />
        <span className="place-line-branch">{showHidden(branch)}</span>
      </>
    )}
    <span className="place-line-kind">{kind}</span>
    {children}
  </p>
);
