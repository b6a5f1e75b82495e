import { useEffect, useId, useState, type ReactNode } from 'react';
import type { BranchesReply, MergePlan, MergeWorktreeBody } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import { showHidden } from '@liminal/domain/text/visible-text';
import { resolveConflictsMessage } from '@liminal/domain/review/bring-back';
import { useWorktree } from '../../../state/worktrees/use-worktrees.ts';
import { useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { plural } from '../../../ui/format.ts';
import type { MergeChoice } from './use-merge-plan.ts';

type MergePartProps = {
  readonly projectId: string;
  readonly worktreeId: string;
  readonly choice: MergeChoice;
  readonly onChoose: (choice: MergeChoice) => void;
  readonly plan: MergePlan | null;
  readonly failure: ApiFailure | null;
  readonly isDirty: boolean;
  readonly onMerged: () => void;
  readonly onClose: () => void;
};

const ways: Record<MergeWorktreeBody['how'], { readonly name: string; readonly about: string }> = {
  merge: { name: 'Merge', about: 'Keeps all commits and joins them with a merge commit where needed' },
  squash: { name: 'Squash', about: 'One commit with all changes' },
  rebase: { name: 'Rebase', about: 'Replays its commits on top of the branch' },
};
const hows = ['merge', 'squash', 'rebase'] as const;

/** Merges a worktree into a branch, after showing what that would do. */
export function MergePart(props: MergePartProps): ReactNode {
  const { projectId, worktreeId, choice, onChoose, plan, failure, isDirty, onMerged, onClose } = props;
  const { api, outgoing, panels, tabs } = useWorkbench();
  const worktree = useWorktree(worktreeId);
  const sessionId = worktree?.sessionId ?? null;
  const branches = useBranches(projectId);
  const [merged, setMerged] = useState<string | null>(null);
  const [problem, setProblem] = useState<ApiFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const titleId = useId();
  const into = choice.into ?? worktree?.base ?? '';
  const names = branches.filter((name) => name !== worktree?.branch);
  const offered = into === '' || names.includes(into) ? names : [into, ...names];
  const shown = problem ?? failure;
  const conflicts = shown?.code === 'CONFLICT' ? filesIn(shown) : null;

  const merge = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const reply = await api.worktree.merge(worktreeId, choice);
    setBusy(false);
    if (!reply.ok) return setProblem(reply.failure);
    setMerged('commit' in reply.value ? `Merged into ${into} as ${reply.value.commit.slice(0, 8)}.` : null);
    return onMerged();
  };
  const askToResolve = (): void => {
    if (sessionId === null || conflicts === null) return;
    outgoing.send(sessionId, resolveConflictsMessage(into, worktree?.branch ?? '', conflicts));
    onClose();
    tabs.show(sessionId);
  };
  const choose = (next: MergeChoice): void => {
    setProblem(null);
    setMerged(null);
    onChoose(next);
  };
  return (
    <section className="bring-back-part" aria-labelledby={titleId}>
      <h3 id={titleId}>Merge</h3>
      <label className="bring-back-field">
        <span>Into branch</span>
        <select value={into} onChange={({ target }) => choose({ ...choice, into: target.value })}>
          {into === '' && <option value="">Choose a branch</option>}
          {offered.map((name) => (
            <option key={name} value={name}>
              {showHidden(name)}
            </option>
          ))}
        </select>
      </label>
      <fieldset className="bring-back-ways">
        <legend className="visually-hidden">How to merge</legend>
        {hows.map((how) => (
          <label key={how} className="bring-back-way">
            <input
              type="radio"
              name="how"
              data-autofocus={how === choice.how ? '' : undefined}
              checked={how === choice.how}
              onChange={() => choose({ ...choice, how })}
            />
            <span>
              <strong>{ways[how].name}</strong> <span className="muted">{ways[how].about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {merged === null && plan === null && shown === null && (
        <p className="muted" role="status">
          Checking what would change…
        </p>
      )}
      {merged === null && plan !== null && <Preview plan={plan} into={into} />}
      {merged === null && shown !== null && (
        <Problem failure={shown} hasSession={sessionId !== null} into={into} how={choice.how} />
      )}
      {merged !== null && <p role="status">{merged}</p>}
      <div className="dialog-actions">
        {merged === null && conflicts !== null && sessionId !== null ? (
          <Button look="primary" onClick={askToResolve}>
            Ask the agent to resolve
          </Button>
        ) : merged === null ? (
          <Button
            look="primary"
            disabled={plan === null || isDirty || isBusy || into === ''}
            title={isDirty ? 'Commit first' : undefined}
            onClick={() => void merge()}
          >
            {isBusy ? 'Merging…' : `${ways[choice.how].name} into ${showHidden(into)}`}
          </Button>
        ) : (
          <>
            <Button onClick={() => panels.open({ name: 'park', projectId, worktreeId })}>Park worktree…</Button>
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

/** The branches of a project, newest first. */
function useBranches(projectId: string): readonly string[] {
  const { api } = useWorkbench();
  const [branches, setBranches] = useState<BranchesReply['branches']>([]);
  useEffect(() => {
    let isWanted = true;
    void api.worktree.branches(projectId).then((reply) => {
      if (isWanted && reply.ok) setBranches(reply.value.branches ?? []);
    });
    return () => {
      isWanted = false;
    };
  }, [api, projectId]);
  return branches.map(({ name }) => name);
}

function Preview({ plan, into }: { readonly plan: MergePlan; readonly into: string }): ReactNode {
  const more = plan.commits - plan.subjects.length;
  return (
    <div className="bring-back-preview" role="status">
      <p>
        {`${plural(plan.commits, 'commit')}, ${plural(plan.files.length, 'file')} to merge into ${showHidden(into)}. `}
        {plan.fastForward ? 'Fast-forward: no merge commit.' : 'No conflicts.'}
      </p>
      <details>
        <summary>Commits and files</summary>
        <ul>
          {plan.subjects.map((subject, index) => (
            <li key={`${index} ${subject}`}>{showHidden(subject)}</li>
          ))}
          {more > 0 && <li className="muted">{`and ${more} more`}</li>}
        </ul>
        <ul>
          {plan.files.map((file) => (
            <li key={file}>
              <code>{showHidden(file)}</code>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/** The files with conflicts. */
function filesIn(failure: ApiFailure): string[] {
  const named = failure.details?.['files'];
  return Array.isArray(named) ? named.filter((file): file is string => typeof file === 'string') : [];
}

type ProblemProps = {
  readonly failure: ApiFailure;
  /** Whether an agent works in the worktree: a conflict can be sent to it. */
  readonly hasSession: boolean;
  readonly into: string;
  readonly how: MergeWorktreeBody['how'];
};

/** Why nothing was merged. */
function Problem({ failure, hasSession, into, how }: ProblemProps): ReactNode {
  if (failure.code !== 'CONFLICT')
    return failure.code === 'NOTHING_TO_COMMIT' ? (
      <p className="muted" role="status">
        {failure.message}
      </p>
    ) : (
      <p className="field-error" role="alert">
        {failure.message}
      </p>
    );
  const files = filesIn(failure);
  return (
    <div className="bring-back-conflict" role="alert">
      <p className="field-error">{`Conflicts in ${plural(files.length, 'file')}. Nothing was changed.`}</p>
      <ul>
        {files.map((file) => (
          <li key={file}>
            <code>{showHidden(file)}</code>
          </li>
        ))}
      </ul>
      <p className="muted">
        {`${showHidden(into)} changed the same lines. `}
        {hasSession
          ? `The agent can merge ${showHidden(into)} into this branch and resolve them.`
          : `Merge ${showHidden(into)} into this branch in a terminal, resolve the conflicts, then come back.`}
        {how === 'rebase' && ' After that, choose Merge or Squash.'}
      </p>
    </div>
  );
}
