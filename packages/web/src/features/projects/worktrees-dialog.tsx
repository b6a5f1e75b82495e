import { useEffect, useState, type ReactNode } from 'react';
import type { Project, Worktree } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import './worktrees.css';

type WorktreesDialogProps = { readonly project: Project; readonly onClose: () => void };
type Answer = Promise<
  { readonly ok: true } | { readonly ok: false; readonly failure: { readonly message: string; readonly code: string } }
>;

type Action = readonly [label: string, task: () => Answer];

/** Every worktree of a project, and what can be done with it. Nothing here loses work: what would is refused. */
export function WorktreesDialog({ project, onClose }: WorktreesDialogProps): ReactNode {
  const { api } = useWorkbench();
  const { sessions } = useDirectory();
  const { projectId } = project;
  const [listed, setListed] = useState<readonly Worktree[] | null>(null);
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState('');
  const load = async (): Promise<void> => {
    const reply = await api.worktree.list(projectId);
    if (reply.ok) setListed(reply.value.worktrees);
    else setFailure(reply.failure.message);
  };
  useEffect(() => {
    let isShown = true;
    void api.worktree.list(projectId).then((reply) => {
      if (!isShown) return;
      if (reply.ok) setListed(reply.value.worktrees);
      else setFailure(reply.failure.message);
    });
    return () => {
      isShown = false;
    };
  }, [api, projectId]);
  const act = async (worktreeId: string, task: () => Answer): Promise<void> => {
    setFailure('');
    setBusy(worktreeId);
    const reply = await task();
    setBusy('');
    if (!reply.ok) setFailure(reply.failure.message);
    await load();
  };
  const { worktree: routes } = api;
  const actionsOf = ({ worktreeId, state, ahead, branch, base }: Worktree): readonly Action[] => {
    switch (state) {
      case 'ready': {
        const merge: Action = [`Merge into ${base ?? ''}`, () => routes.merge(worktreeId, { how: 'merge' })];
        const always: readonly Action[] = [
          ['Park', () => routes.park(worktreeId)],
          ['Remove', () => routes.remove(worktreeId, {})],
        ];
        return ahead > 0 && branch !== null && base !== null ? [merge, ...always] : always;
      }
      case 'parked':
        return [['Restore', () => routes.restore(worktreeId)]];
      case 'missing':
        return [['Recreate', () => routes.recreate(worktreeId)]];
      case 'failed':
        return [
          ['Start anyway', () => routes.startAnyway(worktreeId)],
          ['Remove', () => routes.remove(worktreeId, {})],
        ];
      case 'creating':
      case 'setup':
        return [['Cancel', () => routes.remove(worktreeId, {})]];
      case 'foreign':
        return [];
    }
  };
  return (
    <Dialog title={`Worktrees of ${project.name}`} onClose={onClose} wide>
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      {listed === null && failure === '' && <p className="muted">Loading worktrees…</p>}
      {listed?.length === 0 && (
        <p className="muted">No worktrees yet. Choose "New worktree" when you start a session.</p>
      )}
      <ul className="worktrees">
        {(listed ?? []).map((worktree) => (
          <li key={worktree.worktreeId} className="worktree">
            <span className="worktree-branch" title={showHidden(worktree.folder)}>
              {showHidden(worktree.branch ?? worktree.folder)}
            </span>
            <span className="worktree-about">{describe(worktree, sessions.get(worktree.sessionId ?? '')?.title)}</span>
            <span className="worktree-actions">
              {actionsOf(worktree).map(([label, task]) => (
                <Button
                  key={label}
                  look="quiet"
                  disabled={busy !== ''}
                  aria-label={`${label}: ${showHidden(worktree.branch ?? worktree.folder)}`}
                  onClick={() => void act(worktree.worktreeId, task)}
                >
                  {label}
                </Button>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const stateNames: Record<Worktree['state'], string> = {
  creating: 'Being made',
  setup: 'Setting up',
  ready: 'Ready',
  failed: 'Failed',
  parked: 'Parked',
  missing: 'Folder is gone',
  foreign: 'Made outside',
};

function describe({ state, dirty, ahead, size, error }: Worktree, title: string | undefined): string {
  const parts = [
    stateNames[state],
    title ?? '',
    dirty ? 'uncommitted changes' : '',
    ahead > 0 ? `${plural(ahead, 'commit')} not merged` : '',
    size !== null && size > 0 ? formatBytes(size) : '',
    error ?? '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
