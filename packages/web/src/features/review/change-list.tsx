import { memo, useCallback, useEffect, useMemo, type ReactNode, type Ref } from 'react';
import type { ChangedFile, ChangesNotice, ReviewComment } from '@liminal/contracts';
import { PatchRows } from '../../rendering/diff/diff-lines.tsx';
import type { LineRange, LineRef } from '../../rendering/diff/line-ref.ts';
import { WindowList, type WindowHandle } from '../../rendering/lists/window-list.tsx';
import { isSameQuery } from '../../state/review/review-state.ts';
import { useComments } from '../../state/sessions/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadingRows } from '../../ui/list-state.tsx';
import { CommentCard } from './comments/comment-card.tsx';
import { CommentEditor } from './comments/comment-editor.tsx';
import type { Discarding } from './discard-dialog.tsx';
import { FileHead } from './file-head.tsx';
import { FileNote } from './file-note.tsx';
import { GapRow } from './gap-row.tsx';
import { heightOf, isOnLine, withoutCard, type ReviewRow } from './review-rows.ts';
import { nothingChanged } from './scopes.ts';
import { useReviewState, useReviewStore } from './use-review.ts';

type ChangeListProps = {
  readonly rows: readonly ReviewRow[];
  readonly files: readonly ChangedFile[];
  readonly handle: Ref<WindowHandle>;
  readonly onDiscard: (discarding: Discarding) => void;
};

/** The changes, file by file; files that aren't visible are neither drawn nor loaded. */
export function ChangeList({ rows, files, handle, onDiscard }: ChangeListProps): ReactNode {
  const { list, query, filter } = useReviewState();
  const review = useReviewStore();
  const keyAt = useCallback((index: number) => rows[index]?.key ?? '', [rows]);
  const sizeAt = useCallback((index: number) => (rows[index] === undefined ? 0 : heightOf(rows[index])), [rows]);
  const heads = useMemo(() => headsOf(rows), [rows]);
  const headOf = useCallback((index: number) => heads[index] ?? 0, [heads]);

  if (list.phase === 'failed')
    return (
      <div className="review-empty" role="alert">
        <p>{`Couldn't read the changes. ${list.failure.message}`}</p>
        <Button onClick={() => void review.refresh()}>Try again</Button>
      </div>
    );
  if (list.phase === 'loading')
    return (
      <div className="review-loading">
        <LoadingRows label="Reading changes…" rows={9} />
      </div>
    );
  if (files.length === 0)
    return (
      <div className="review-empty">
        <p>
          {filter !== '' && list.reply.files.length > 0 ? `No file matches “${filter}”.` : nothingChanged(query.scope)}
        </p>
        {filter !== '' && <Button onClick={() => review.change({ filter: '' })}>Clear filter</Button>}
        {filter === '' && query.scope !== 'uncommitted' && !isOffered(list.reply.notices) && (
          <Button onClick={() => void review.loader.show({ scope: 'uncommitted' })}>Show uncommitted changes</Button>
        )}
        <LooseComments />
      </div>
    );
  return (
    <WindowList
      label="Changes"
      className="review-changes"
      count={rows.length}
      keyAt={keyAt}
      sizeAt={sizeAt}
      headOf={headOf}
      handle={handle}
      renderAt={(index) => {
        const row = rows[index];
        return row === undefined ? null : <Row row={row} onDiscard={onDiscard} />;
      }}
    />
  );
}

/** Whether a notice above already links to the uncommitted changes. */
const isOffered = (notices: readonly ChangesNotice[]): boolean =>
  notices.some(({ code }) => code === 'NO_CHECKPOINT' || code === 'NO_BASE');

const isHead = (row: ReviewRow): boolean => row.kind === 'file' || (row.kind === 'comments' && row.file === null);

/** For each row, the index of its header. */
function headsOf(rows: readonly ReviewRow[]): Int32Array {
  const heads = new Int32Array(rows.length);
  for (const [index, row] of rows.entries()) heads[index] = isHead(row) ? index : (heads[index - 1] ?? 0);
  return heads;
}

type RowProps = { readonly row: ReviewRow; readonly onDiscard: (discarding: Discarding) => void };

const Row = memo(({ row, onDiscard }: RowProps): ReactNode => {
  switch (row.kind) {
    case 'file':
      return <FileHead file={row.file} onDiscard={onDiscard} />;
    case 'comments':
      return (
        <div className="review-loose">
          {row.file === null && <h2 className="review-loose-title">Comments on files that aren't listed</h2>}
          {row.comments.map((comment) => (
            <CommentCard key={comment.commentId} comment={comment} isQuoted />
          ))}
          {row.editing.map((editing) => (
            <CommentEditor key={editing.id} editing={editing} isLoose />
          ))}
        </div>
      );
    case 'note':
      return <FileNote file={row.file} body={row.body} />;
    case 'gap':
      return <GapRow file={row.file} hunk={row.hunk} hidden={row.hidden} isEnd={row.isEnd} onDiscard={onDiscard} />;
    case 'lines':
      return <LinesRow row={row} />;
  }
});

const noComments: readonly ReviewComment[] = [];

function LinesRow({ row }: { readonly row: Extract<ReviewRow, { kind: 'lines' }> }): ReactNode {
  const review = useReviewStore();
  const { path } = row.file;
  const { query, selection, editing, bodies } = useReviewState();
  const all = useComments() ?? noComments;
  const own = all.filter((comment) => comment.path === path && isOnLine(row.patch, comment));
  const written = editing.filter(
    (each) => each.path === path && each.commentId === undefined && isSameQuery(each.query, query),
  );
  const body = bodies.get(path);
  const isStale = body?.phase === 'ready' && body.isStale;
  useEffect(() => {
    if (isStale) void review.loader.need(path);
  }, [review, path, isStale]);
  const selected = selection?.path === path ? selection.range : null;
  const onSelect = (range: LineRange): void =>
    review.select({ path, range, head: row.patch.find(range.side, range.to) });
  /** The comments that end on a line, new ones being written there, and the button to add one. */
  const below = ({ side, line }: LineRef): ReactNode => {
    const isHere = (range: LineRange | null): boolean => range?.side === side && range.to === line;
    const here = own.filter((comment) => comment.side === side && comment.endLine === line);
    const writtenHere = written.filter(({ range }) => isHere(range));
    const adding = isHere(selected) && writtenHere.length === 0 ? <AddComment path={path} range={selected} /> : null;
    if (here.length === 0 && writtenHere.length === 0) return adding;
    return (
      <>
        {here.map((comment) => (
          <CommentCard key={comment.commentId} comment={comment} />
        ))}
        {writtenHere.map((each) => (
          <CommentEditor key={each.id} editing={each} />
        ))}
        {adding}
      </>
    );
  };
  return (
    <div
      className={row.isSplit ? 'diff-rows diff-split' : 'diff-rows'}
      style={{ containIntrinsicBlockSize: `auto ${heightOf(row)}px` }}
    >
      <PatchRows
        patch={row.patch}
        path={path}
        from={row.from}
        to={row.to}
        isSplit={row.isSplit}
        selected={selected}
        onSelect={onSelect}
        below={below}
      />
    </div>
  );
}

/** Shown at the end of the selected lines without moving any. */
function AddComment({ path, range }: { readonly path: string; readonly range: LineRange | null }): ReactNode {
  const review = useReviewStore();
  if (range === null) return null;
  return (
    <div className="review-add">
      <Button onClick={() => review.comments.begin(path, range)}>
        <Icon name="comment" size={14} />
        Comment
        <kbd className="key-hint">C</kbd>
      </Button>
    </div>
  );
}
/** Comments on files that aren't in the list, so none is lost. */
function LooseComments(): ReactNode {
  const comments = useComments() ?? noComments;
  const editing = withoutCard(useReviewState().editing, comments);
  if (comments.length === 0 && editing.length === 0) return null;
  return (
    <div className="review-loose">
      {comments.map((comment) => (
        <CommentCard key={comment.commentId} comment={comment} isQuoted />
      ))}
      {editing.map((each) => (
        <CommentEditor key={each.id} editing={each} isLoose />
      ))}
    </div>
  );
}
