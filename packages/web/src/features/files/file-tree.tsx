import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { TreeEntry } from '@liminal/contracts';
import { WindowList, type WindowHandle } from '../../rendering/lists/window-list.tsx';
import { rowsOf, type TreeRow, type TreeStore } from '../../state/files/tree-store.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuList, type MenuItem } from '../../ui/menu.tsx';

const changeLabels = {
  added: ['A', 'added'],
  modified: ['M', 'changed'],
  deleted: ['D', 'deleted'],
  renamed: ['R', 'renamed'],
  conflicted: ['!', 'in conflict'],
  type: ['T', 'changed'],
} as const;

type FileTreeProps = {
  readonly tree: TreeStore;
  /** The file that is open. */
  readonly active: string | null;
  readonly onOpen: (path: string, isNewTab: boolean) => void;
  readonly itemsOf: (entry: TreeEntry) => readonly MenuItem[];
  readonly onRename: (path: string) => void;
  readonly onDelete: (path: string) => void;
};

type OpenMenu = { readonly entry: TreeEntry; readonly at: { readonly x: number; readonly y: number } };

/**
 * The folders and files of a project, one folder at a time. Arrows move, right and left expand and collapse; the menu of
 * a file opens with the right button, a long press, its three dots, the menu key or Shift+F10.
 */
export function FileTree({ tree, active, onOpen, itemsOf, onRename, onDelete }: FileTreeProps): ReactNode {
  const state = useCell(tree.state);
  const rows = useMemo(() => rowsOf(state), [state]);
  const list = useRef<WindowHandle>(null);
  const keyAt = useMemo(() => (index: number) => rows[index]?.entry.path ?? '', [rows]);

  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const open = ({ entry }: TreeRow, isNewTab = false): void => {
    if (entry.kind === 'folder') tree.toggle(entry.path);
    else onOpen(entry.path, isNewTab);
  };
  const showMenu = ({ entry }: TreeRow, row: Element, at?: { x: number; y: number }): void => {
    const { left, bottom } = row.getBoundingClientRect();
    setMenu({ entry, at: at ?? { x: left + 24, y: bottom } });
  };
  const focusRow = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    list.current?.scrollTo(row.entry.path, 'nearest');
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-tree-path="${CSS.escape(row.entry.path)}"]`)?.focus(),
    );
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const row = rows[index];
    if (row === undefined || event.altKey) return;
    if (event.ctrlKey || event.metaKey) return event.key === 'Enter' ? open(row, true) : undefined;
    const isFolder = row.entry.kind === 'folder';
    const parent = (): number => rows.findLastIndex((each, at) => at < index && each.depth < row.depth);
    const steps: Record<string, (() => void) | undefined> = {
      Enter: () => open(row),
      ' ': () => open(row),
      ArrowDown: () => focusRow(index + 1),
      ArrowUp: () => focusRow(index - 1),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
      F2: () => onRename(row.entry.path),
      Delete: () => {
        onDelete(row.entry.path);
        focusRow(index === 0 ? 1 : index - 1);
      },
      ContextMenu: () => showMenu(row, event.currentTarget),
      ...(event.shiftKey && { F10: () => showMenu(row, event.currentTarget) }),
      ArrowRight: () => (isFolder && !row.isExpanded ? tree.toggle(row.entry.path) : focusRow(index + 1)),
      ArrowLeft: () => (isFolder && row.isExpanded ? tree.toggle(row.entry.path) : focusRow(parent())),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };

  // A view opened by keyboard takes the focus; typing elsewhere keeps it.
  const isListed = rows.length > 0;
  useEffect(() => {
    if (isListed && document.activeElement === document.body)
      document.querySelector<HTMLElement>('.files-row[tabindex="0"]')?.focus({ preventScroll: true });
  }, [isListed]);

  if (state.failure !== null) return <p className="files-note">{state.failure.message}</p>;
  if (!state.folders.has('')) return <p className="files-note">Reading the folder…</p>;
  if (rows.length === 0) return <p className="files-note">This folder is empty.</p>;
  const focused = Math.max(
    0,
    rows.findIndex(({ entry }) => entry.path === active),
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
        sizeAt={() => 26}
        handle={list}
        renderAt={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { entry, depth, isExpanded } = row;
          const change = entry.change === undefined ? null : changeLabels[entry.change];
          return (
            <div
              role="treeitem"
              data-tree-path={entry.path}
              aria-level={depth + 1}
              aria-selected={entry.path === active}
              {...(entry.kind === 'folder' ? { 'aria-expanded': isExpanded } : {})}
              className={`files-row${entry.ignored === true ? ' files-ignored' : ''}`}
              style={{ paddingInlineStart: 8 + depth * 14 }}
              tabIndex={index === focused ? 0 : -1}
              onClick={(event) => open(row, event.ctrlKey || event.metaKey)}
              onAuxClick={(event) => event.button === 1 && open(row, true)}
              onContextMenu={(event) => {
                event.preventDefault();
                // A key opens it at the row; so does a browser that sends the event itself.
                showMenu(
                  row,
                  event.currentTarget,
                  event.detail === 0 && event.clientX === 0 ? undefined : { x: event.clientX, y: event.clientY },
                );
              }}
              onKeyDown={(event) => onKeyDown(event, index)}
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
                  showMenu(row, event.currentTarget);
                }}
              >
                <Icon name="more" size={14} />
              </span>
            </div>
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
