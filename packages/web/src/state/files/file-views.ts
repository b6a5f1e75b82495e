import { createCell, type Cell } from '../base/cell.ts';

/** A place in a file. */
export type FilePlace = { readonly path: string; readonly line?: number; readonly column?: number };

export type FileViews = {
  /** The sessions whose files are shown in place of their timeline. */
  readonly shown: Cell<ReadonlySet<string>>;
  /** The file to show in a session, until it is there. */
  readonly sought: Cell<{ readonly sessionId: string; readonly place: FilePlace } | null>;
  readonly open: (sessionId: string, place?: FilePlace) => void;
  readonly close: (sessionId: string) => void;
  readonly toggle: (sessionId: string) => void;
};

/** Which sessions show the files of their folder. */
export function createFileViews(): FileViews {
  const shown = createCell<ReadonlySet<string>>(new Set());
  const sought: FileViews['sought'] = createCell<ReturnType<FileViews['sought']['get']>>(null);
  const open: FileViews['open'] = (sessionId, place) => {
    if (place !== undefined) sought.set({ sessionId, place });
    shown.update((held) => new Set([...held, sessionId]));
  };
  const close: FileViews['close'] = (sessionId) => {
    if (shown.get().has(sessionId)) shown.update((held) => new Set([...held].filter((id) => id !== sessionId)));
  };
  return {
    shown,
    sought,
    open,
    close,
    toggle: (sessionId) => (shown.get().has(sessionId) ? close(sessionId) : open(sessionId)),
  };
}
