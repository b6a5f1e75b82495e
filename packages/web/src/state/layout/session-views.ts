import { isWithin, movedPath } from '@liminal/domain/text/moved-path';
import { createCell, type Cell } from '../base/cell.ts';
import type { FilePlace } from '../files/file-store.ts';
import type { ReviewPlace } from '../review/review-place.ts';
import { fileTab, readTab, reviewTab, sessionOfTab } from './tab-id.ts';
import { shownTabs } from './tabs.ts';
import type { TabsStore } from './tabs-store.ts';

/** The reviews of sessions, each in its own tab. A review loads when it is first opened. */
export type Reviews = {
  /** The place to go to in a session's review, until it gets there. */
  readonly sought: Cell<{ readonly sessionId: string; readonly place: ReviewPlace } | null>;
  readonly isOpen: (sessionId: string) => boolean;
  readonly open: (sessionId: string, place?: ReviewPlace) => void;
  /** Closes the review; if it was active, the conversation is shown. */
  readonly close: (sessionId: string) => void;
  readonly toggle: (sessionId: string) => void;
};

export function createReviews(tabs: TabsStore): Reviews {
  const sought: Reviews['sought'] = createCell<{ sessionId: string; place: ReviewPlace } | null>(null);
  const isOpen = (sessionId: string): boolean => tabs.all().includes(reviewTab(sessionId));
  const open: Reviews['open'] = (sessionId, place) => {
    if (place !== undefined) sought.set({ sessionId, place });
    tabs.show(reviewTab(sessionId), sessionId);
  };
  const close = (sessionId: string): void => {
    const wasActive = tabs.get().active === reviewTab(sessionId);
    tabs.close(reviewTab(sessionId));
    if (wasActive) tabs.show(sessionId);
  };
  return {
    sought,
    isOpen,
    open,
    close,
    toggle: (sessionId) => (tabs.get().active === reviewTab(sessionId) ? close(sessionId) : open(sessionId)),
  };
}

/** The files of sessions' folders, in tabs. */
export type FileViews = {
  /** The position to go to in a file, until it gets there. */
  readonly sought: Cell<{ readonly tab: string; readonly place: FilePlace } | null>;
  /** Tabs whose file has unsaved edits. */
  readonly unsaved: Cell<ReadonlySet<string>>;
  readonly setUnsaved: (tab: string, isUnsaved: boolean) => void;
  /** Shows a file of a session's folder at a position. Replaces files visible next to it. */
  readonly open: (sessionId: string, place: FilePlace) => void;
  /** Shows the tree of a session's folder, with the file that was open last. */
  readonly browse: (sessionId: string) => void;
  /** Shows another file in a file tab, or switches to the tab that already has it. */
  readonly goTo: (tab: string, path: string) => void;
  /** A file or folder was moved: its tabs follow. */
  readonly moved: (sessionId: string, from: string, to: string) => void;
  /** A file or folder was deleted: closes its tabs. */
  readonly removed: (sessionId: string, path: string) => void;
  /** Returns to the conversation. */
  readonly leave: (sessionId: string) => void;
  readonly toggle: (sessionId: string) => void;
};

/** `folderOf`: where a session works; sessions in one folder share its file tabs. */
export function createFileViews(tabs: TabsStore, folderOf: (sessionId: string) => string): FileViews {
  const sought: FileViews['sought'] = createCell<{ tab: string; place: FilePlace } | null>(null);
  const unsaved: FileViews['unsaved'] = createCell<ReadonlySet<string>>(new Set());
  const filesOf = (ids: readonly string[], sessionId: string) =>
    ids.flatMap((id) => {
      const target = readTab(id);
      const isHere = target.kind === 'file' && isSameFolder(target.sessionId, sessionId);
      return isHere ? [{ id, path: target.path }] : [];
    });
  const isSameFolder = (one: string, other: string): boolean =>
    one === other || (folderOf(one) !== '' && folderOf(one) === folderOf(other));
  const activeFile = (sessionId: string) => filesOf([tabs.get().active ?? ''], sessionId)[0];

  const browse = (sessionId: string): void => {
    const last = filesOf(tabs.all(), sessionId).at(-1);
    tabs.show(last?.id ?? fileTab(sessionId, ''), sessionId);
  };
  const leave = (sessionId: string): void => {
    const file = activeFile(sessionId);
    tabs.show(sessionId);
    if (file?.path === '') tabs.close(file.id);
  };
  return {
    sought,
    unsaved,
    setUnsaved(tab, isUnsaved) {
      if (unsaved.get().has(tab) === isUnsaved) return;
      unsaved.update((held) => new Set(isUnsaved ? [...held, tab] : [...held].filter((id) => id !== tab)));
    },
    open(sessionId, { path, line, column }) {
      const root = `${folderOf(sessionId)}/`;
      const short = (path.startsWith(root) ? path.slice(root.length) : path).replace(/^(\.\/)+/, '');
      const held = tabs.get();
      const tab = filesOf(tabs.all(), sessionId).find((file) => file.path === short)?.id ?? fileTab(sessionId, short);
      const at = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
      sought.set({ tab, place: { path: short, ...at } });
      const beside = filesOf(shownTabs(held), sessionId)[0];
      if (beside !== undefined && !tabs.all().includes(tab)) tabs.rename(beside.id, tab);
      tabs.show(tab, held.active);
    },
    browse,
    goTo(tab, path) {
      const next = fileTab(sessionOfTab(tab) ?? '', path);
      if (tabs.all().includes(next)) tabs.show(next);
      else tabs.rename(tab, next);
    },
    moved(sessionId, from, to) {
      const newIds = new Map(
        filesOf([...tabs.all(), ...unsaved.get()], sessionId).flatMap(({ id, path }) => {
          const next = movedPath(path, from, to);
          return next === null ? [] : [[id, fileTab(sessionOfTab(id) ?? '', next)]];
        }),
      );
      unsaved.update((held) => new Set([...held].map((id) => newIds.get(id) ?? id)));
      for (const [id, next] of newIds) tabs.rename(id, next);
    },
    removed(sessionId, gone) {
      for (const { id, path } of filesOf(tabs.all(), sessionId)) {
        if (!isWithin(path, gone)) continue;
        // If the tree is already visible, it stays.
        if (tabs.get().active === id) tabs.rename(id, fileTab(sessionOfTab(id) ?? '', ''));
        else tabs.close(id);
      }
    },
    leave,
    toggle: (sessionId) => (activeFile(sessionId) === undefined ? browse(sessionId) : leave(sessionId)),
  };
}
