import { useCallback, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { TreeEntry } from '@liminal/contracts';
import { WindowList } from '../../rendering/lists/window-list.tsx';
import { rowsOf, type EntryRow, type TreeStore } from '../../state/files/tree-store.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { EmptyList, LoadFailed, LoadingRows } from '../../ui/list-state.tsx';
import { MenuList, type MenuItem } from '../../ui/menu.tsx';
import { FailedFolder, FileRow } from './file-row.tsx';
import { useTreeFocus } from './use-tree-focus.ts';
import './file-tree.css';

type FileTreeProps = {
  readonly tree: TreeStore;
  /** The open file. */
  readonly active: string | null;
  readonly onOpen: (path: string, isNewTab: boolean) => void;
  readonly itemsOf: (entry: TreeEntry) => readonly MenuItem[];
  readonly onRename: (path: string) => void;
  readonly onDelete: (path: string) => void;
};

type Steps = Record<string, (() => void) | undefined>;
type OpenMenu = { readonly entry: TreeEntry; readonly at: { readonly x: number; readonly y: number } };

/**
 * The folders and files of a project. Folders load when they are expanded. Up and down move, right and left expand and
 * collapse. The menu of a file opens with a right click, a long press, its three dots, the menu key or Shift+F10.
 */
export function FileTree({ tree, active, onOpen, itemsOf, onRename, onDelete }: FileTreeProps): ReactNode {
  const state = useCell(tree.state);
  const rows = useMemo(() => rowsOf(state), [state]);
  const root = state.folders.get('');
  const focus = useTreeFocus(rows, active, root !== undefined && rows.length > 0);
  const { focusAt } = focus;
  const keyAt = useCallback((index: number) => rows[index]?.key ?? '', [rows]);
  const sizeAt = useCallback((index: number) => (rows[index]?.kind === 'failed' ? 96 : 28), [rows]);

  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const open = ({ entry }: EntryRow, isNewTab = false): void => {
    if (entry.kind === 'folder') tree.toggle(entry.path);
    else onOpen(entry.path, isNewTab);
  };
  const showMenu = ({ entry }: EntryRow, row: Element, at?: { x: number; y: number }): void => {
    const { left, bottom } = row.getBoundingClientRect();
    setMenu({ entry, at: at ?? { x: left + 24, y: bottom } });
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const row = rows[index];
    if (row === undefined || event.altKey) return;
    const parent = (): number => rows.findLastIndex((each, at) => at < index && each.depth < row.depth);
    const moves: Steps = {
      ArrowDown: () => focusAt(index + 1),
      ArrowUp: () => focusAt(index - 1),
      ArrowRight: () => focusAt(index + 1),
      ArrowLeft: () => focusAt(parent()),
      Home: () => focusAt(0),
      End: () => focusAt(rows.length - 1),
    };
    const isPlain = !event.ctrlKey && !event.metaKey;
    const steps = {
      ...(isPlain && moves),
      ...(row.kind === 'failed' ? isPlain && failedSteps(row.folder) : entrySteps(row, index, event)),
    };
    const step = steps[event.key];
    // A button in the row handles its own keys.
    if (step === undefined || (event.target !== event.currentTarget && moves[event.key] === undefined)) return;
    event.preventDefault();
    step();
  };
  const failedSteps = (folder: string): Steps => {
    const retry = (): void => void tree.retry(folder);
    return { Enter: retry, ' ': retry };
  };
  const entrySteps = (row: EntryRow, index: number, event: KeyboardEvent): Steps => {
    if (event.ctrlKey || event.metaKey) return { Enter: () => open(row, true) };
    const { path, kind } = row.entry;
    const toggle = (): void => tree.toggle(path);
    const menu = (): void => showMenu(row, event.currentTarget);
    return {
      Enter: () => open(row),
      ' ': () => open(row),
      F2: () => onRename(path),
      Delete: () => {
        onDelete(path);
        focusAt(index === 0 ? 1 : index - 1);
      },
      ContextMenu: menu,
      ...(event.shiftKey && { F10: menu }),
      ...(kind === 'folder' && (row.isExpanded ? { ArrowLeft: toggle } : { ArrowRight: toggle })),
    };
  };

  if (root === undefined) {
    const failure = state.failures.get('');
    return (
      <div className="files-state">
        {failure === undefined ? (
          <LoadingRows label="Reading the folder…" rows={6} />
        ) : (
          <LoadFailed
            title="Couldn't read this folder."
            message={failure.message}
            onRetry={() => void tree.retry('')}
          />
        )}
      </div>
    );
  }
  if (rows.length === 0)
    return (
      <div className="files-state">
        {root.entries.length === 0 ? (
          <EmptyList title="No files yet">Files that you or an agent create appear here.</EmptyList>
        ) : (
          <EmptyList
            title="Only ignored files"
            action={{ label: 'Show ignored files', onChoose: () => tree.showIgnored(true) }}
          >
            Git ignores all files in this folder.
          </EmptyList>
        )}
      </div>
    );
  return (
    <>
      <WindowList
        label="Files"
        role="tree"
        className="files-tree"
        tabIndex={-1}
        count={rows.length}
        keyAt={keyAt}
        sizeAt={sizeAt}
        keepAt={focus.current}
        handle={focus.list}
        renderAt={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          const rowFocus = {
            tabIndex: index === focus.current ? 0 : -1,
            onFocus: () => focus.onFocus(row.key),
            onBlur: focus.onBlur,
            onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
          };
          return row.kind === 'failed' ? (
            <FailedFolder row={row} focus={rowFocus} onRetry={() => void tree.retry(row.folder)} />
          ) : (
            <FileRow
              row={row}
              focus={rowFocus}
              isActive={row.key === active}
              onOpen={(isNewTab) => open(row, isNewTab)}
              onMenu={(element, at) => showMenu(row, element, at)}
            />
          );
        }}
      />
      {menu !== null && (
        <MenuList
          label={`More actions for ${menu.entry.name}`}
          items={itemsOf(menu.entry)}
          at={menu.at}
          onClose={() => {
            setMenu(null);
            // The row may have disappeared in the meantime.
            focus.focusIfLost();
          }}
        />
      )}
    </>
  );
}
