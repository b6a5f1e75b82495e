import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { TreeEntry } from '@liminal/contracts';
import { WindowList, type WindowHandle } from '../../rendering/lists/window-list.tsx';
import { rowsOf, type EntryRow, type TreeStore } from '../../state/files/tree-store.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { EmptyList, LoadFailed, LoadingRows } from '../../ui/list-state.tsx';
import { MenuList, type MenuItem } from '../../ui/menu.tsx';
import { FailedFolder, FileRow } from './file-row.tsx';

type FileTreeProps = {
  readonly tree: TreeStore;
  /** The file that is open. */
  readonly active: string | null;
  readonly onOpen: (path: string, isNewTab: boolean) => void;
  readonly itemsOf: (entry: TreeEntry) => readonly MenuItem[];
  readonly onRename: (path: string) => void;
  readonly onDelete: (path: string) => void;
};

type Steps = Record<string, (() => void) | undefined>;
type OpenMenu = { readonly entry: TreeEntry; readonly at: { readonly x: number; readonly y: number } };

/**
 * The folders and files of a project, one folder at a time. Arrows move, right and left expand and collapse; the menu of
 * a file opens with the right button, a long press, its three dots, the menu key or Shift+F10.
 */
export function FileTree({ tree, active, onOpen, itemsOf, onRename, onDelete }: FileTreeProps): ReactNode {
  const state = useCell(tree.state);
  const rows = useMemo(() => rowsOf(state), [state]);
  const list = useRef<WindowHandle>(null);
  const keyAt = useCallback((index: number) => rows[index]?.key ?? '', [rows]);
  const sizeAt = useCallback((index: number) => (rows[index]?.kind === 'failed' ? 96 : 26), [rows]);

  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const open = ({ entry }: EntryRow, isNewTab = false): void => {
    if (entry.kind === 'folder') tree.toggle(entry.path);
    else onOpen(entry.path, isNewTab);
  };
  const showMenu = ({ entry }: EntryRow, row: Element, at?: { x: number; y: number }): void => {
    const { left, bottom } = row.getBoundingClientRect();
    setMenu({ entry, at: at ?? { x: left + 24, y: bottom } });
  };
  const focusRow = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    list.current?.scrollTo(row.key, 'nearest');
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-tree-row="${CSS.escape(row.key)}"]`)?.focus(),
    );
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const row = rows[index];
    if (row === undefined || event.altKey) return;
    const parent = (): number => rows.findLastIndex((each, at) => at < index && each.depth < row.depth);
    const moves: Steps = {
      ArrowDown: () => focusRow(index + 1),
      ArrowUp: () => focusRow(index - 1),
      ArrowRight: () => focusRow(index + 1),
      ArrowLeft: () => focusRow(parent()),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
    };
    const isPlain = !event.ctrlKey && !event.metaKey;
    const steps = {
      ...(isPlain && moves),
      ...(row.kind === 'failed' ? isPlain && failedSteps(row.folder) : entrySteps(row, index, event)),
    };
    const step = steps[event.key];
    // A button in the row has keys of its own.
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
        focusRow(index === 0 ? 1 : index - 1);
      },
      ContextMenu: menu,
      ...(event.shiftKey && { F10: menu }),
      ...(kind === 'folder' && (row.isExpanded ? { ArrowLeft: toggle } : { ArrowRight: toggle })),
    };
  };

  const root = state.folders.get('');
  // A view opened by keyboard takes the focus; typing elsewhere keeps it.
  const isListed = root !== undefined && rows.length > 0;
  useEffect(() => {
    if (isListed && document.activeElement === document.body)
      document.querySelector<HTMLElement>('.files-tree [tabindex="0"]')?.focus({ preventScroll: true });
  }, [isListed]);

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
  const focused = Math.max(
    0,
    rows.findIndex(({ key }) => key === active),
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
        handle={list}
        renderAt={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          const shared = {
            tabIndex: index === focused ? 0 : -1,
            onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
          };
          return row.kind === 'failed' ? (
            <FailedFolder {...shared} row={row} onRetry={() => void tree.retry(row.folder)} />
          ) : (
            <FileRow
              {...shared}
              row={row}
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
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}
