import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { ApiFailure } from '@liminal/client/call-routes';
import { suggestPullRequest } from '@liminal/domain/review/bring-back';
import { titleOf } from '../../../state/sessions/titles.ts';
import { useWorktree } from '../../../state/worktrees/use-worktrees.ts';
import { useDirectory, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { StepsText } from '../../../ui/steps-text.tsx';

type PublishPartProps = { readonly worktreeId: string; readonly subjects: readonly string[] };
type Texts = { readonly title: string; readonly body: string };
type Outcome = { readonly text: string; readonly output?: string; readonly url?: string };

/** Pushes the branch to its remote, and opens a pull request. */
export function PublishPart({ worktreeId, subjects }: PublishPartProps): ReactNode {
  const { api } = useWorkbench();
  const { sessions } = useDirectory();
  const worktree = useWorktree(worktreeId);
  const [busy, setBusy] = useState<'push' | 'request' | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isWriting, setWriting] = useState(false);
  const headId = useId();
  const session = sessions.get(worktree?.sessionId ?? '');
  const suggested = suggestPullRequest(session === undefined ? '' : titleOf(session), subjects);

  const push = async (): Promise<void> => {
    setBusy('push');
    const reply = await api.worktree.push(worktreeId);
    setBusy(null);
    setFailure(reply.ok ? null : reply.failure);
    if (!reply.ok) return setOutcome(null);
    const { remote, branch, output } = reply.value;
    return setOutcome({ text: `Pushed to ${remote}/${branch}.`, output });
  };
  const request = async (texts: Texts): Promise<void> => {
    setBusy('request');
    const reply = await api.worktree.pullRequest(worktreeId, texts);
    setBusy(null);
    setFailure(reply.ok ? null : reply.failure);
    if (!reply.ok) return setOutcome(null);
    setWriting(false);
    return setOutcome({ text: 'Pull request open.', url: reply.value.url });
  };
  return (
    <section className="bring-back-part" aria-labelledby={headId}>
      <h3 id={headId}>Publish</h3>
      {!isWriting && (
        <div className="bring-back-publish">
          <Button disabled={busy !== null} onClick={() => void push()}>
            {busy === 'push' ? 'Pushing…' : 'Push'}
          </Button>
          <Button disabled={busy !== null} onClick={() => setWriting(true)}>
            Open pull request…
          </Button>
        </div>
      )}
      {isWriting && (
        <RequestForm
          suggested={suggested}
          isBusy={busy !== null}
          onCancel={() => setWriting(false)}
          onSubmit={(texts) => void request(texts)}
        />
      )}
      {outcome !== null && (
        <div role="status">
          <p>
            {outcome.text} {outcome.url !== undefined && <Address url={outcome.url} />}
          </p>
          <Output text={outcome.output} />
        </div>
      )}
      {failure !== null && (
        <div role="alert" className="bring-back-failure">
          <StepsText text={failure.message} />
          {typeof failure.details?.['url'] === 'string' && <Address url={failure.details['url']} />}
          <Output text={failure.details?.['output']} />
        </div>
      )}
    </section>
  );
}

type RequestFormProps = {
  readonly suggested: Texts;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
  readonly onSubmit: (texts: Texts) => void;
};

/** The text of a pull request; a suggestion that the user can edit. */
function RequestForm({ suggested, isBusy, onCancel, onSubmit }: RequestFormProps): ReactNode {
  const [title, setTitle] = useState(suggested.title);
  const [body, setBody] = useState(suggested.body);
  const [titleId, bodyId] = [useId(), useId()];
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <form
      className="bring-back-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ title, body });
      }}
    >
      <label htmlFor={titleId}>Title</label>
      <input
        id={titleId}
        ref={first}
        className="input"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <label htmlFor={bodyId}>Description</label>
      <textarea id={bodyId} className="input" rows={4} value={body} onChange={(event) => setBody(event.target.value)} />
      <p className="muted">Pushes the branch and opens the pull request with gh or glab.</p>
      <div className="dialog-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" disabled={isBusy || title.trim() === ''}>
          {isBusy ? 'Opening…' : 'Open pull request'}
        </Button>
      </div>
    </form>
  );
}

/** Only a web address becomes a link. */
function Address({ url }: { readonly url: string }): ReactNode {
  if (!/^https?:\/\//.test(url)) return <code>{url}</code>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  );
}

function Output({ text }: { readonly text: unknown }): ReactNode {
  if (typeof text !== 'string' || text.trim() === '') return null;
  return (
    <details>
      <summary>Output</summary>
      <pre tabIndex={0}>{text.trim()}</pre>
    </details>
  );
}
