import type { FocusEventHandler, KeyboardEventHandler, ReactNode } from 'react';
import type { EntryRow, FailedRow } from '../../state/files/tree-store.ts';
import { Icon } from '../../ui/icon.tsx';
import { LoadFailed } from '../../ui/list-state.tsx';

const changeLabels = {
  added: ['A', 'added'],
  modified: ['M', 'changed'],
  deleted: ['D', 'deleted'],
  renamed: ['R', 'renamed'],
  conflicted: ['!', 'in conflict'],
  type: ['T', 'changed'],
} as const;

/** What a row needs for keyboard navigation in the tree. */
type RowFocus = {
  readonly tabIndex: number;
  readonly onFocus: FocusEventHandler;
  readonly onBlur: FocusEventHandler;
  readonly onKeyDown: KeyboardEventHandler;
};
type FileRowProps = {
  readonly row: EntryRow;
  readonly focus: RowFocus;
  /** Whether this is the open file. */
  readonly isActive: boolean;
  readonly onOpen: (isNewTab: boolean) => void;
  /** Without a position, the menu opens at the row. */
  readonly onMenu: (element: Element, at?: { readonly x: number; readonly y: number }) => void;
};

const indent = (depth: number): number => 8 + depth * 14;

/** A file or folder of the tree. */
export function FileRow({ row, focus, isActive, onOpen, onMenu }: FileRowProps): ReactNode {
  const { entry, depth, isExpanded, isReading } = row;
  const change = entry.change === undefined ? null : changeLabels[entry.change];
  return (
    <div
      role="treeitem"
      data-tree-row={row.key}
      aria-level={depth + 1}
      aria-selected={isActive}
      {...(entry.kind === 'folder' ? { 'aria-expanded': isExpanded, 'aria-busy': isReading } : {})}
      className={`files-row${entry.ignored === true ? ' files-ignored' : ''}`}
      style={{ paddingInlineStart: indent(depth) }}
      {...focus}
      onClick={(event) => onOpen(event.ctrlKey || event.metaKey)}
      onAuxClick={(event) => event.button === 1 && onOpen(true)}
      onContextMenu={(event) => {
        event.preventDefault();
        // Opened by key, the event has no position, so the menu opens at the row.
        const isKey = event.detail === 0 && event.clientX === 0;
        onMenu(event.currentTarget, isKey ? undefined : { x: event.clientX, y: event.clientY });
      }}
    >
      <span className={isExpanded ? 'files-chevron files-chevron-open' : 'files-chevron'}>
        {entry.kind === 'folder' && <Icon name="chevron" size={12} />}
      </span>
      <span className="files-name">{entry.name}</span>
      {change !== null && (
        <span className={`files-change files-change-${entry.change ?? ''}`} title={change[1]}>
          <span aria-hidden="true">{entry.kind === 'folder' ? '•' : change[0]}</span>
          <span className="visually-hidden">{change[1]}</span>
        </span>
      )}
      <span
        className="files-more"
        aria-hidden="true"
        title="More actions"
        onClick={(event) => {
          event.stopPropagation();
          onMenu(event.currentTarget);
        }}
      >
        <Icon name="more" size={14} />
      </span>
    </div>
  );
}

type FailedFolderProps = { readonly row: FailedRow; readonly focus: RowFocus; readonly onRetry: () => void };

/** Shown inside a folder that couldn't be read. Enter or the button tries again. */
export function FailedFolder({ row, focus, onRetry }: FailedFolderProps): ReactNode {
  const { folder, failure, depth } = row;
  return (
    <div
      role="treeitem"
      data-tree-row={row.key}
      aria-level={depth + 1}
      className="files-failed"
      style={{ paddingInlineStart: indent(depth) }}
      {...focus}
    >
      <LoadFailed
        title={folder === '' ? "Couldn't refresh this folder." : `Couldn't read ${folder}.`}
        message={failure.message}
        onRetry={onRetry}
      />
    </div>
  );
}
