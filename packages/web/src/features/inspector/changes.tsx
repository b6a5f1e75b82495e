import { type ReactNode, useEffect, useState } from 'react';
import type { ChangesReply } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useSession, useFolderChanged, useRunningTurn } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';

/** So many files are named here; the review has them all. */
const most = 100;

/** The files the session changed, in short; each leads to its place in the review. */
export function Changes({ changes }: { readonly changes: ApiResult<ChangesReply> | null }): ReactNode {
  const { reviews } = useWorkbench();
  const { store } = useSession();
  const open = (path?: string): void =>
    reviews.open(store.sessionId, { scope: 'session', ...(path !== undefined && { path }) });
  if (changes === null) return <p className="inspector-note">Reading changes…</p>;
  if (!changes.ok) return <p className="inspector-note">{`Couldn't read the changes. ${changes.failure.message}`}</p>;
  const { files, total, notice } = changes.value;
  const sum = (key: 'additions' | 'deletions'): number => files.reduce((all, file) => all + (file[key] ?? 0), 0);
  return (
    <>
      {notice !== undefined && <p className="inspector-note">{notice.message}</p>}
      <p className="inspector-note inspector-changed">
        {total === 0 ? (
          'No changes yet'
        ) : (
          <span>
            {`${plural(total, 'file')} changed `}
            <span className="diff-added">+{sum('additions')}</span>{' '}
            <span className="diff-removed">−{sum('deletions')}</span>
          </span>
        )}
        <Button onClick={() => open()}>Open review</Button>
      </p>
      <ul className="inspector-list">
        {files.slice(0, most).map(({ path, additions, deletions, binary }) => (
          <li key={path}>
            <button type="button" className="inspector-file" title={showHidden(path)} onClick={() => open(path)}>
              {/* The end of a path tells files apart, so the beginning is what is cut. */}
              <span className="inspector-path">
                <bdi>{showHidden(path)}</bdi>
              </span>
              {binary && <span className="muted">binary</span>}
              {additions !== undefined && <span className="diff-added">+{additions}</span>}
              {deletions !== undefined && <span className="diff-removed">−{deletions}</span>}
            </button>
          </li>
        ))}
      </ul>
      {total > most && <p className="inspector-note">{`${total - most} more in the review.`}</p>}
    </>
  );
}

/** What this session changed; read again when a turn ends and when the server saw the folder change. */
export function useChanges(): ApiResult<ChangesReply> | null {
  const { api } = useWorkbench();
  const { store } = useSession();
  const [reply, setReply] = useState<ApiResult<ChangesReply> | null>(null);
  const isRunning = useRunningTurn() !== null;
  const changedAt = useFolderChanged()?.at;
  useEffect(() => {
    let isWanted = true;
    void api.session.changes(store.sessionId, { scope: 'session' }).then((read) => {
      if (isWanted) setReply(read);
    });
    return () => {
      isWanted = false;
    };
  }, [api, store, isRunning, changedAt]);
  return reply;
}
