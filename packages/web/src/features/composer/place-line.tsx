import type { ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { branchOf } from '../../state/sessions/branch-of.ts';
import { useSession } from '../../state/sessions/use-session.ts';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PortLinks } from '../../ui/port-links.tsx';
import './place-line.css';

/** Where the session works: its project, the current branch, the kind of place, and the ports its agent opened. */
export function PlaceLine(): ReactNode {
  const { store } = useSession();
  const { panels, terminals } = useWorkbench();
  const { sessions, projects } = useDirectory();
  const agentPorts = useCell(terminals.agentPorts);
  const session = sessions.get(store.sessionId);
  if (session === undefined) return null;
  const project = projects.find(({ projectId }) => projectId === session.projectId);
  const folder = session.place?.folder ?? project?.dir ?? '';
  if (folder === '') return null;
  const branch = branchOf(session, project);
  const isWorktree = session.place?.kind === 'worktree';
  const worktreeId = session.place?.worktreeId;
  return (
    <p className="place-line" title={showHidden(folder)}>
      <Icon name="folder" size={12} />
      <span className="place-line-folder">{showHidden(project?.name ?? folder)}</span>
      {branch !== '' && (
        <>
          <Icon name="branch" size={12} />
          <span className="place-line-branch">{showHidden(branch)}</span>
        </>
      )}
      <span className="place-line-kind">{isWorktree ? 'worktree' : 'project folder'}</span>
      <PortLinks ports={agentPorts.find(({ sessionId }) => sessionId === store.sessionId)?.ports} />
      {worktreeId !== undefined && (
        <Button
          look="quiet"
          className="place-line-action"
          onClick={() => panels.open({ name: 'bring-back', projectId: session.projectId, worktreeId })}
        >
          Merge or publish…
        </Button>
      )}
    </p>
  );
}
