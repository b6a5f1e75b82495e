import { useEffect, useState, type ReactNode } from 'react';
import type { ComparisonSummary, Project } from '@liminal/contracts';
import { useNow } from '../../state/base/use-now.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatAgo, plural } from '../../ui/format.ts';
import './worktrees/worktrees.css';

type ComparisonsDialogProps = { readonly project: Project; readonly onClose: () => void };

/** Every comparison of a project; one that is chosen is shown. */
export function ComparisonsDialog({ project, onClose }: ComparisonsDialogProps): ReactNode {
  const { api, comparing } = useWorkbench();
  const minute = useNow(30_000);
  const { projectId } = project;
  const [listed, setListed] = useState<readonly ComparisonSummary[] | null>(null);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    let isShown = true;
    void api.compare.list({ projectId }).then((reply) => {
      if (!isShown) return;
      if (reply.ok) setListed(reply.value.compares);
      else setFailure(reply.failure.message);
    });
    return () => {
      isShown = false;
    };
  }, [api, projectId]);
  return (
    <Dialog title={`Comparisons in ${project.name}`} onClose={onClose} wide>
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      {listed === null && failure === '' && <p className="muted">Loading comparisons…</p>}
      {listed?.length === 0 && (
        <p className="muted">No comparisons yet. Tick "Compare several agents or models" when you start a session.</p>
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
                look="quiet"
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
