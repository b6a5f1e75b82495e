import { useEffect, useId, useState, type ReactNode } from 'react';
import type { ChangesReply, CommitBody } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import { suggestCommitMessage } from '@liminal/domain/review/suggest-commit-message';
import { useIsMounted } from '../../state/base/use-is-mounted.ts';
import { titleOf } from '../../state/sessions/titles.ts';
import { useSession } from '../../state/sessions/use-session.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { useReviewStore } from './use-review.ts';

type What = 'staged' | 'all';

/** Commits staged changes or everything, with the repository's hooks, and shows their output. */
export function CommitDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const review = useReviewStore();
  const { api } = useWorkbench();
  const { store } = useSession();
  const summary = useDirectory().sessions.get(store.sessionId);
  const [uncommitted, setUncommitted] = useState<ChangesReply | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [amend, setAmend] = useState(false);
  const [what, setWhat] = useState<What | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const isMounted = useIsMounted();
  const { sessionId } = store;
  const messageId = useId();
  useEffect(() => {
    void api.session.changes(sessionId, { scope: 'uncommitted' }).then((reply) => {
      if (reply.ok) setUncommitted(reply.value);
      else setFailure(reply.failure);
    });
  }, [api, sessionId]);

  const files = uncommitted?.files ?? [];
  const staged = files.filter((file) => file.staged !== 'no');
  const chosen = what ?? (staged.length > 0 ? 'staged' : 'all');
  const included = chosen === 'staged' ? staged : files;
  const text = message ?? suggestCommitMessage(summary === undefined ? '' : titleOf(summary), included);
  const written = failure?.code === 'HOOK_FAILED' ? failure.details?.['output'] : undefined;
  const output = typeof written === 'string' ? written : '';
  // What "all" means isn't known before the list is there.
  const canCommit = !isBusy && uncommitted !== null && text.trim() !== '' && (included.length > 0 || amend);
  const commit = async (skipHooks: boolean): Promise<void> => {
    if (!canCommit) return;
    setBusy(true);
    const body: CommitBody = {
      message: text,
      ...(chosen === 'all' && { all: true }),
      ...(amend && { amend }),
      ...(skipHooks && { skipHooks }),
    };
    const problem = await review.actions.commit(body);
    if (!isMounted()) {
      if (problem !== null) review.actions.reportCommitFailure(problem);
      return;
    }
    setBusy(false);
    setFailure(problem);
    if (problem === null) onClose();
  };
  return (
    <Dialog title="Commit" onClose={onClose}>
      <form
        className="review-commit"
        onSubmit={(event) => {
          event.preventDefault();
          void commit(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void commit(false);
        }}
      >
        <label htmlFor={messageId}>Message</label>
        <textarea
          id={messageId}
          data-autofocus
          rows={4}
          value={text}
          onChange={(event) => setMessage(event.target.value)}
        />
        <fieldset>
          <legend className="visually-hidden">What to commit</legend>
          {(['staged', 'all'] as const).map((each) => (
            <label key={each} className="review-choice">
              <input type="radio" name="what" checked={chosen === each} onChange={() => setWhat(each)} />
              {each === 'staged'
                ? `Staged changes (${plural(staged.length, 'file')})`
                : `All changes (${plural(files.length, 'file')})`}
            </label>
          ))}
          <label className="review-choice">
            <input type="checkbox" checked={amend} onChange={(event) => setAmend(event.target.checked)} />
            Amend the last commit
          </label>
        </fieldset>
        {uncommitted !== null && uncommitted.branch !== null && (
          <p className="muted">{`On branch ${uncommitted.branch}. The repository's hooks run.`}</p>
        )}
        {failure !== null && (
          <div role="alert">
            <p className="field-error">{failure.message}</p>
            {output.trim() !== '' && <pre tabIndex={0}>{output.trim()}</pre>}
          </div>
        )}
        <div className="dialog-actions">
          {failure?.code === 'HOOK_FAILED' && (
            <Button disabled={isBusy} onClick={() => void commit(true)}>
              Commit without hooks
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={!canCommit}>
            {isBusy ? 'Committing…' : amend ? 'Amend commit' : 'Commit'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
