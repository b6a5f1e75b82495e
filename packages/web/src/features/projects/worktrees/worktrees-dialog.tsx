import { useState, type ReactNode } from 'react';
import type { ApiFailure } from '@liminal/client/call-routes';
import type { Project, Worktree } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useNow } from '../../../state/base/use-now.ts';
import { useWorktrees } from '../../../state/worktrees/use-worktrees.ts';
import { useDirectory, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { EmptyList, LoadFailed, LoadingRows } from '../../../ui/list-state.tsx';
import { SetupOutput } from '../../../ui/worktrees/setup-output.tsx';
import { describeProgress } from '../../../ui/worktrees/worktree-progress.ts';
import { describeWorktree } from './describe-worktree.ts';
import './worktrees.css';

type WorktreesDialogProps = { readonly project: Project; readonly onClose: () => void };
type Answer = Promise<{ readonly ok: true } | { readonly ok: false; readonly failure: ApiFailure }>;

/** `isOpening`: it opens another dialog, and changes nothing by itself. */
type Action = { readonly label: string; readonly isOpening?: boolean; readonly run: () => Answer | void };

/** Removing would only lose ignored files, such as installed packages. */
const mayConfirm = ({ code, details }: ApiFailure): boolean =>
  code === 'WORKTREE_DIRTY' && details?.['notKept'] !== undefined;

/** All worktrees of a project, and their actions. Nothing here loses work: the server refuses that. */
export function WorktreesDialog({ project, onClose }: WorktreesDialogProps): ReactNode {
  const { api, panels, tabs, worktrees: store } = useWorkbench();
  const { sessions } = useDirectory();
  const minute = useNow(30_000);
  const { projectId } = project;
  const { worktrees, failure: unread } = useWorktrees(projectId);
  const [problem, setProblem] = useState<{ readonly worktreeId: string; readonly failure: ApiFailure } | null>(null);
  const [busy, setBusy] = useState('');
  const act = async (worktreeId: string, { run }: Action): Promise<void> => {
    setProblem(null);
    const answer = run();
    if (answer === undefined) return;
    setBusy(worktreeId);
    const reply = await answer;
    setBusy('');
    if (!reply.ok) setProblem({ worktreeId, failure: reply.failure });
    await store.list(projectId);
  };
  const { worktree: routes } = api;
  const actionsOf = ({ worktreeId, state, branch, base, sessionId, setup }: Worktree): readonly Action[] => {
    const open: Action[] =
      sessionId === null || !sessions.has(sessionId)
        ? []
        : [
            {
              label: 'Open session',
              isOpening: true,
              run: () => {
                onClose();
                tabs.show(sessionId);
              },
            },
          ];
    const bringBack: Action[] =
      branch === null || base === null
        ? []
        : [
            {
              label: 'Merge or publish…',
              isOpening: true,
              run: () => panels.open({ name: 'bring-back', projectId, worktreeId }),
            },
          ];
    const remove: Action = { label: 'Remove', run: () => routes.remove(worktreeId, {}) };
    switch (state) {
      case 'ready': {
        const park: Action = {
          label: 'Park…',
          isOpening: true,
          run: () => panels.open({ name: 'park', projectId, worktreeId }),
        };
        return [...open, ...bringBack, park, remove];
      }
      case 'parked':
        return [...open, ...bringBack, { label: 'Restore', run: () => routes.restore(worktreeId) }, remove];
      case 'missing':
        return [{ label: 'Recreate', run: () => routes.recreate(worktreeId) }];
      case 'failed':
        return setup === undefined
          ? [remove]
          : [{ label: 'Start anyway', run: () => routes.startAnyway(worktreeId) }, remove];
      case 'setup':
        return [
          { label: 'Start anyway', run: () => routes.startAnyway(worktreeId) },
          { label: 'Cancel', run: () => routes.remove(worktreeId, {}) },
        ];
      case 'creating':
        return [{ label: 'Cancel', run: () => routes.remove(worktreeId, {}) }];
      case 'foreign':
        return [];
    }
  };
  return (
    <Dialog title={`Worktrees in ${project.name}`} onClose={onClose} wide>
      {unread !== '' && (
        <LoadFailed title="Couldn't list the worktrees." message={unread} onRetry={() => void store.list(projectId)} />
      )}
      {worktrees === null && unread === '' && <LoadingRows label="Loading worktrees…" />}
      {worktrees?.length === 0 && unread === '' && (
        <EmptyList
          title="No worktrees yet"
          action={{ label: 'New session', onChoose: () => panels.open({ name: 'new-session', projectId }) }}
        >
          Choose "New worktree" as the place of a new session: the agent then works in its own folder, on its own
          branch.
        </EmptyList>
      )}
      <ul className="worktrees">
        {(worktrees ?? []).map((worktree) => (
          <li key={worktree.worktreeId} className="worktree">
            <span className="worktree-branch" title={showHidden(worktree.folder)}>
              <Icon name={worktree.branch === null ? 'folder' : 'branch'} size={12} />
              {showHidden(worktree.branch ?? worktree.folder)}
            </span>
            <span className="worktree-about">
              {describeWorktree(worktree, sessions.get(worktree.sessionId ?? '')?.title, minute)}
            </span>
            <span className="worktree-actions">
              {actionsOf(worktree).map((action) => (
                <Button
                  key={action.label}
                  disabled={busy === worktree.worktreeId && action.isOpening !== true && action.label !== 'Cancel'}
                  aria-label={`${action.label}: ${showHidden(worktree.branch ?? worktree.folder)}`}
                  onClick={() => void act(worktree.worktreeId, action)}
                >
                  {action.label}
                </Button>
              ))}
            </span>
            {worktree.progress !== undefined && (
              <span className="worktree-progress" role="status">
                {describeProgress(worktree.progress)}
              </span>
            )}
            {problem?.worktreeId === worktree.worktreeId && (
              <p className="field-error worktree-line" role="alert">
                {problem.failure.message}{' '}
                {mayConfirm(problem.failure) && (
                  <Button
                    onClick={() =>
                      void act(worktree.worktreeId, {
                        label: 'Remove',
                        run: () => routes.remove(worktree.worktreeId, { dropIgnored: 'true' }),
                      })
                    }
                  >
                    Remove with ignored files
                  </Button>
                )}
              </p>
            )}
            {worktree.notice !== undefined && <p className="muted worktree-line">{worktree.notice}</p>}
            <SetupOutput worktree={worktree} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
