import { useCallback, useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { ChangedFile, ReviewComment } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { WindowList, type WindowHandle } from '../../rendering/lists/window-list.tsx';
import { isViewed } from '../../state/review/review-state.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { changeLetter, changeName } from './change-words.ts';
import type { FileListRow } from './file-tree.ts';
import { reviewKeys } from './review-keys.ts';
import { useReviewState, useReviewStore } from './use-review.ts';

type FileListProps = {
  readonly rows: readonly FileListRow[];
  readonly filter: RefObject<HTMLInputElement | null>;
  readonly comments: readonly ReviewComment[];
  readonly onShow: (path: string) => void;
};

/** All changed files by name; a click jumps to its changes. */
export function FileList({ rows, filter, comments, onShow }: FileListProps): ReactNode {
  const review = useReviewStore();
  const state = useReviewState();
  const look = useCell(review.look);
  const list = useRef<WindowHandle>(null);
  const open = useMemo(
    () =>
      Map.groupBy(
        comments.filter((comment) => comment.state !== 'resolved'),
        ({ path }) => path,
      ),
    [comments],
  );
  const keyAt = useCallback((index: number) => rows[index]?.key ?? '', [rows]);
  const rowHeight = useCallback(() => 36, []);
  const { current } = state;
  useEffect(() => {
    if (current !== null) list.current?.scrollTo(current, 'nearest');
  }, [current]);
  const reply = state.list.phase === 'ready' ? state.list.reply : null;

  return (
    <nav className="review-files" aria-label="Changed files">
      <div className="review-filter">
        <Icon name="search" size={14} />
        <input
          ref={filter}
          type="search"
          aria-label="Filter files"
          placeholder="Filter files"
          value={state.filter}
          onChange={(event) => review.change({ filter: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            review.change({ filter: '' });
            event.currentTarget.closest<HTMLElement>('.review')?.focus();
          }}
        />
        <kbd className="key-hint">F</kbd>
        <IconButton
          label="Show folders as a tree"
          aria-pressed={look.isTree}
          onClick={() => review.look.update((held) => ({ ...held, isTree: !held.isTree }))}
        >
          <Icon name="tree" />
        </IconButton>
      </div>
      <WindowList
        label="Files"
        className="review-file-rows"
        role="list"
        tabIndex={-1}
        count={rows.length}
        keyAt={keyAt}
        sizeAt={rowHeight}
        handle={list}
        renderAt={(index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <ListRow
              row={row}
              place={index}
              count={rows.length}
              comments={row.kind === 'file' ? (open.get(row.file.path)?.length ?? 0) : 0}
              onShow={onShow}
            />
          );
        }}
      />
      {reply?.truncated === true && (
        <p className="review-aside">{`The first ${reply.files.length} of ${reply.total} files are listed.`}</p>
      )}
      {(reply?.notKept.length ?? 0) > 0 && <NotKept files={reply?.notKept ?? []} />}
      <dl className="review-keys" aria-label="Keys">
        {reviewKeys.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key} className="key-hint">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </nav>
  );
}

function NotKept({
  files,
}: {
  readonly files: readonly { readonly path: string; readonly reason: string }[];
}): ReactNode {
  return (
    <details className="review-aside">
      <summary>{`${plural(files.length, 'file')} not compared`}</summary>
      <ul>
        {files.slice(0, 100).map(({ path, reason }) => (
          <li key={path}>{`${showHidden(path)}: ${reason}`}</li>
        ))}
      </ul>
    </details>
  );
}

type ListRowProps = {
  readonly row: FileListRow;
  readonly place: number;
  readonly count: number;
  readonly comments: number;
  readonly onShow: (path: string) => void;
};

function ListRow({ row, place, count, comments, onShow }: ListRowProps): ReactNode {
  const position = { role: 'listitem', 'aria-setsize': count, 'aria-posinset': place + 1 } as const;
  switch (row.kind) {
    case 'heading':
      return (
        <div {...position} className="review-heading">
          {row.text}
        </div>
      );
    case 'folder':
      return (
        <div {...position} className="review-folder-row" style={{ '--depth': row.depth } as object}>
          <FolderRow folderKey={row.key} name={row.name} />
        </div>
      );
    case 'file':
      return (
        <div {...position} className="review-file-row" style={{ '--depth': row.depth } as object}>
          <FileRow file={row.file} name={row.name} folder={row.folder} comments={comments} onShow={onShow} />
        </div>
      );
  }
}

function FolderRow({ folderKey, name }: { readonly folderKey: string; readonly name: string }): ReactNode {
  const review = useReviewStore();
  const { closedFolders, filter } = useReviewState();
  const isClosed = filter === '' && closedFolders.has(folderKey);
  return (
    <button
      type="button"
      className="review-folder-button"
      aria-expanded={!isClosed}
      disabled={filter !== ''}
      onClick={() => review.turnFolder(folderKey)}
      onKeyDown={(event) => {
        const isWanted = { ArrowLeft: !isClosed, ArrowRight: isClosed }[event.key];
        if (isWanted === true) review.turnFolder(folderKey);
        if (isWanted === undefined) stepThroughFiles(event);
      }}
    >
      <span className={isClosed ? 'review-chevron' : 'review-chevron review-chevron-open'}>
        <Icon name="chevron" size={12} />
      </span>
      <Icon name="folder" size={14} />
      <span className="review-name">{showHidden(name)}</span>
    </button>
  );
}

type FileRowProps = {
  readonly file: ChangedFile;
  readonly name: string;
  readonly folder: string;
  readonly comments: number;
  readonly onShow: (path: string) => void;
};

function FileRow({ file, name, folder, comments, onShow }: FileRowProps): ReactNode {
  const review = useReviewStore();
  const state = useReviewState();
  const isCurrent = state.current === file.path;
  const { additions, deletions, staged } = file;
  return (
    <>
      <input
        type="checkbox"
        aria-label={`Viewed: ${showHidden(file.path)}`}
        checked={isViewed(state, file)}
        onChange={(event) => review.setViewed(file, event.target.checked)}
      />
      <button
        type="button"
        className={file.bySession ? 'review-file' : 'review-file review-file-other'}
        aria-current={isCurrent}
        title={showHidden(file.oldPath === undefined ? file.path : `${file.oldPath} → ${file.path}`)}
        onClick={() => onShow(file.path)}
        onKeyDown={stepThroughFiles}
      >
        <span className={`review-letter review-letter-${file.change}`} aria-hidden="true">
          {changeLetter(file)}
        </span>
        <span className="visually-hidden">{changeName(file)} </span>
        <span className="review-name">
          {showHidden(name)} <span className="review-folder">{showHidden(folder)}</span>
        </span>
        {staged !== 'no' && (
          <span className="review-staged" title={staged === 'yes' ? 'Staged' : 'Partly staged'}>
            <Icon name="check" size={12} />
            <span className="visually-hidden">{staged === 'yes' ? 'Staged' : 'Partly staged'}</span>
          </span>
        )}
        {comments > 0 && (
          <span className="review-comments" title={plural(comments, 'comment')}>
            <Icon name="comment" size={12} />
            {comments}
          </span>
        )}
        {file.binary && <span className="review-binary">binary</span>}
        {additions !== undefined && <span className="diff-added">+{additions}</span>}
        {deletions !== undefined && <span className="diff-removed">−{deletions}</span>}
      </button>
    </>
  );
}

/** Arrow keys move from row to row. */
function stepThroughFiles(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [
    ...(event.currentTarget
      .closest('.review-files')
      ?.querySelectorAll<HTMLElement>('.review-file, .review-folder-button') ?? []),
  ];
  all[all.indexOf(event.currentTarget) + step]?.focus();
}
