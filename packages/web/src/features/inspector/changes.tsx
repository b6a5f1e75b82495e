import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { ChangesReply } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useSession, useFolderChanged, useRunningTurn } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { EmptyList, LoadFailed, LoadingRows } from '../../ui/list-state.tsx';

/** How many files are listed here; the review has them all. */
const most = 100;

/** A short list of the files the session changed; each links to its place in the review. */
export function Changes({ reply: changes, read }: SessionChanges): ReactNode {
  const { reviews } = useWorkbench();
  const { store } = useSession();
  const open = (path?: string): void =>
    reviews.open(store.sessionId, { scope: 'session', ...(path !== undefined && { path }) });
  if (changes === null) return <LoadingRows label="Reading changes…" />;
  if (!changes.ok)
    return <LoadFailed title="Couldn't read the changes." message={changes.failure.message} onRetry={() => read()} />;
  const { files, total, notice } = changes.value;
  const sum = (key: 'additions' | 'deletions'): number => files.reduce((all, file) => all + (file[key] ?? 0), 0);
  return (
    <>
      {notice !== undefined && <p className="inspector-note">{notice.message}</p>}
      {total === 0 ? (
        <EmptyList title="No changes yet" action={{ label: 'Open review', onChoose: () => open() }}>
          Files this session changes appear here. The review also shows what else changed in the folder.
        </EmptyList>
      ) : (
        <p className="inspector-note inspector-changed">
          <span>
            {`${plural(total, 'file')} changed `}
            <span className="diff-added">+{sum('additions')}</span>{' '}
            <span className="diff-removed">−{sum('deletions')}</span>
          </span>
          <Button onClick={() => open()}>Open review</Button>
        </p>
      )}
      <ul className="inspector-list">
        {files.slice(0, most).map(({ path, additions, deletions, binary }) => (
          <li key={path}>
            <button type="button" className="inspector-file" title={showHidden(path)} onClick={() => open(path)}>
              {/* The end of a path distinguishes files, so the start is truncated. */}
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

export type SessionChanges = { readonly reply: ApiResult<ChangesReply> | null; readonly read: () => void };

/** The session's changes; reloaded when a turn ends and when the server reports a change in the folder. */
export function useChanges(): SessionChanges {
  const { api } = useWorkbench();
  const { store } = useSession();
  const [reply, setReply] = useState<ApiResult<ChangesReply> | null>(null);
  const isRunning = useRunningTurn() !== null;
  const changedAt = useFolderChanged()?.at;
  const read = useCallback((): (() => void) => {
    let isWanted = true;
    void api.session.changes(store.sessionId, { scope: 'session' }).then((answer) => {
      if (isWanted) setReply(answer);
    });
    return () => {
      isWanted = false;
    };
  }, [api, store]);
  useEffect(() => read(), [read, isRunning, changedAt]);
  return { reply, read };
}
