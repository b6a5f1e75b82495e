import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { ComparisonSummary, Project } from '@liminal/contracts';
import { useNow } from '../../state/base/use-now.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { formatAgo, plural } from '../../ui/format.ts';
import { EmptyList, LoadFailed, LoadingRows } from '../../ui/list-state.tsx';
import './worktrees/worktrees.css';

type ComparisonsDialogProps = { readonly project: Project; readonly onClose: () => void };

/** All comparisons of a project; choosing one shows it. */
export function ComparisonsDialog({ project, onClose }: ComparisonsDialogProps): ReactNode {
  const { api, comparing, panels } = useWorkbench();
  const minute = useNow(30_000);
  const { projectId } = project;
  const [listed, setListed] = useState<readonly ComparisonSummary[] | null>(null);
  const [failure, setFailure] = useState('');
  const read = useCallback((): (() => void) => {
    let isWanted = true;
    void api.compare.list({ projectId }).then((reply) => {
      if (!isWanted) return;
      setFailure(reply.ok ? '' : reply.failure.message);
      if (reply.ok) setListed(reply.value.compares);
    });
    return () => {
      isWanted = false;
    };
  }, [api, projectId]);
  useEffect(() => read(), [read]);
  return (
    <Dialog title={`Comparisons in ${project.name}`} onClose={onClose} wide>
      {failure !== '' && <LoadFailed title="Couldn't list the comparisons." message={failure} onRetry={() => read()} />}
      {listed === null && failure === '' && <LoadingRows label="Loading comparisons…" />}
      {listed?.length === 0 && (
        <EmptyList
          title="No comparisons yet"
          action={{ label: 'New session', onChoose: () => panels.open({ name: 'new-session', projectId }) }}
        >
          Tick "Compare several agents or models" in a new session: each works on the same message in its own worktree.
        </EmptyList>
      )}
      <ul className="worktrees">
        {(listed ?? []).map(({ compareId, content, candidates, createdAt, kept }) => (
          <li key={compareId} className="worktree">
            <span className="worktree-branch">{content}</span>
            <span className="worktree-about">
              {[plural(candidates.length, 'candidate'), formatAgo(createdAt, minute), kept ? 'one kept' : '']
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
            <span className="worktree-actions">
              <Button
                aria-label={`Open comparison: ${content}`}
                onClick={() => {
                  onClose();
                  comparing.open(compareId);
                }}
              >
                Open
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
