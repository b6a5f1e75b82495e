import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import { prepareColours } from '../../rendering/code/highlighter.ts';
import { endingOf } from '../../rendering/diff/use-diff-colours.ts';
import { useIsWide } from '../../rendering/use-near.ts';
import type { WindowHandle } from '../../rendering/lists/window-list.tsx';
import { reviewStoreOf } from '../../state/review/review-store.ts';
import { useComments, useFolderChanged, useRunningTurn, useSession } from '../../state/sessions/use-session.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ChangeList } from './change-list.tsx';
import { CommitDialog } from './commit-dialog.tsx';
import { DiscardDialog, type Discarding } from './discard-dialog.tsx';
import { FileList } from './file-list.tsx';
import { listRows, openRows, orderFiles } from './file-tree.ts';
import { PendingBar } from './comments/pending-bar.tsx';
import { keyTask } from './review-keys.ts';
import { Notices, OutcomeLine } from './review-notices.tsx';
import { goTo } from './review-moves.ts';
import { rowsOf } from './review-rows.ts';
import { ReviewToolbar } from './review-toolbar.tsx';
import { ReviewContext, useReviewState, useReviewStore } from './use-review.ts';
import '../../rendering/diff/diff.css';
import './review-comments.css';
import './review-files.css';
import './review.css';
import './review-toolbar.css';
import './review-rows.css';
import './review-commit.css';

/** The width that two columns need. */
const splitFrom = 1100;
/** Below this width, the file list covers the changes. */
const besideFrom = 640;
/** About as many files as are visible first. */
const firstFiles = 10;

/** The changes in the session's folder: files on the left, their changes next to them, and the actions. */
export default function Review({ canSteer }: { readonly canSteer: boolean }): ReactNode {
  const workbench = useWorkbench();
  const { store: session } = useSession();
  const review = reviewStoreOf(workbench, session);
  return (
    <ReviewContext value={review}>
      <ReviewView key={session.sessionId} canSteer={canSteer} />
    </ReviewContext>
  );
}

const noComments: readonly never[] = [];

function ReviewView({ canSteer }: { readonly canSteer: boolean }): ReactNode {
  const review = useReviewStore();
  const { panels, reviews } = useWorkbench();
  const { store: session, isActive } = useSession();
  const state = useReviewState();
  const look = useCell(review.look);
  const comments = useComments() ?? noComments;
  const root = useRef<HTMLElement>(null);
  const changes = useRef<WindowHandle>(null);
  const filter = useRef<HTMLInputElement>(null);
  const canSplit = useIsWide(root, splitFrom);
  const isSplit = canSplit && look.isSplit;
  const isBeside = useIsWide(root, besideFrom);
  const [isListOpen, setListOpen] = useState(false);
  const isCommitting = useCell(panels.committing) === session.sessionId;
  const setCommitting = (isOpen: boolean): void => panels.committing.set(isOpen ? session.sessionId : null);
  const [discarding, setDiscarding] = useState<Discarding | null>(null);
  const { query, list, bodies, whole, gaps, turned, viewed, editing } = state;
  const reply = list.phase === 'ready' ? list.reply : null;
  /** Without files, the list would be an empty column. */
  const isNothing = list.phase === 'failed' || (reply?.files.length === 0 && reply.notKept.length === 0);

  const listed = useMemo(
    () => listRows(orderFiles(reply?.files ?? [], state.filter), look.isTree),
    [reply, state.filter, look.isTree],
  );
  const openFolders = useMemo(
    () => (state.filter === '' && look.isTree ? openRows(listed, state.closedFolders) : listed),
    [listed, state.filter, look.isTree, state.closedFolders],
  );
  const files = useMemo(() => listed.flatMap((row) => (row.kind === 'file' ? [row.file] : [])), [listed]);
  const paths = useMemo(() => new Set(reply?.files.map(({ path }) => path)), [reply]);
  const rows = useMemo(
    () =>
      rowsOf({
        files,
        state: { query, bodies, whole, gaps, turned, viewed, editing },
        isSplit,
        comments,
        listed: paths,
      }),
    [files, query, bodies, whole, gaps, turned, viewed, editing, isSplit, comments, paths],
  );

  // So colours are ready with the first patch, or soon after it.
  useEffect(() => prepareColours(files.slice(0, firstFiles).map(({ path }) => endingOf(path))), [files]);
  useRefreshing();
  const sought = useCell(reviews.sought);
  const onSought = useEffectEvent(() => {
    const place = sought?.sessionId === session.sessionId ? sought.place : null;
    if (place === null && list.phase === 'ready') return;
    reviews.sought.set(null);
    void goTo(review, () => changes.current, place ?? {});
  });
  useEffect(() => onSought(), [sought]);
  // The review takes the keys at once, unless the user is typing elsewhere.
  useEffect(() => {
    if (isActive && document.activeElement?.matches('textarea, input') !== true)
      root.current?.focus({ preventScroll: true });
  }, [isActive]);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const task = keyTask(event, {
      review,
      rows,
      files,
      isSplit,
      changes: changes.current,
      onFilter: () => filter.current?.focus(),
      onDiscard: setDiscarding,
      onCommit: () => setCommitting(true),
      onLeave: () => reviews.close(session.sessionId),
    });
    if (task === null) return;
    event.preventDefault();
    event.stopPropagation();
    task();
  });
  useEffect(() => {
    if (!isActive) return undefined;
    // A button that disappears on click loses the focus to the body: the keys still belong to the review.
    const listener = (event: KeyboardEvent): void => {
      const isHere = event.target instanceof Node && root.current?.contains(event.target) === true;
      const isNowhere = event.target === document.body && document.querySelector('dialog[open]') === null;
      if (isHere || isNowhere) onKey(event);
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isActive]);

  const show = (path: string): void => {
    setListOpen(false);
    review.change({ current: path, selection: null });
    changes.current?.scrollTo(path);
  };
  return (
    <section ref={root} className="review" aria-label="Review" tabIndex={-1}>
      <ReviewToolbar
        files={files}
        isWide={isBeside}
        canSplit={canSplit}
        isListOpen={isListOpen}
        onList={() => setListOpen(!isListOpen)}
        onCommit={() => setCommitting(true)}
      />
      <Notices />
      <div className="review-body">
        {(isBeside ? !isNothing : isListOpen) && (
          <FileList rows={openFolders} filter={filter} comments={comments} onShow={show} />
        )}
        <ChangeList rows={rows} files={files} handle={changes} onDiscard={setDiscarding} />
      </div>
      <OutcomeLine />
      <PendingBar canSteer={canSteer} />
      {isCommitting && <CommitDialog onClose={() => setCommitting(false)} />}
      {discarding !== null && (
        <DiscardDialog
          discarding={discarding}
          onClose={() => setDiscarding((held) => (held === discarding ? null : held))}
        />
      )}
    </section>
  );
}

/** Reloads when a turn ends, when the server reports a change in the folder, and when the page becomes visible. */
function useRefreshing(): void {
  const review = useReviewStore();
  const running = useRunningTurn()?.turnId ?? null;
  const wasRunning = useRef(running);
  const { socket } = useWorkbench();
  const { sessionId } = review.session;
  useEffect(() => {
    socket.watchChanges(sessionId, true);
    return () => socket.watchChanges(sessionId, false);
  }, [socket, sessionId]);
  const changedAt = useFolderChanged()?.at;
  const seenAt = useRef(changedAt);
  useEffect(() => {
    if (seenAt.current !== changedAt) void review.refresh();
    seenAt.current = changedAt;
  }, [review, changedAt]);
  useEffect(() => {
    if (wasRunning.current !== null && running === null) void review.refresh();
    wasRunning.current = running;
  }, [review, running]);
  useEffect(() => {
    const onFocus = (): void => {
      if (document.visibilityState === 'visible') void review.refresh();
    };
    addEventListener('focus', onFocus);
    return () => removeEventListener('focus', onFocus);
  }, [review]);
  // Shown again after a while: its data may be outdated.
  useEffect(() => {
    if (review.state.get().list.phase === 'ready') void review.refresh();
    else void review.comments.read();
  }, [review]);
}
