import type { Image } from '@liminal/contracts';
import type { Storage } from '../../browser/storage.ts';

export type DraftStore = {
  readonly read: (sessionId: string) => string;
  readonly write: (sessionId: string, text: string) => void;
  /** Inserts a text before the draft. */
  readonly add: (sessionId: string, text: string) => void;
  readonly images: (sessionId: string) => readonly Image[];
  readonly keepImages: (sessionId: string, images: readonly Image[]) => void;
  /** Files the draft mentions, as far as its text still does. */
  readonly mentions: (sessionId: string) => Set<string>;
  readonly isEmpty: (sessionId: string) => boolean;
  /** Another session takes over the draft. */
  readonly move: (from: string, to: string) => void;
  /** The session got another id for good: whatever still knows it by the old one reaches its draft too. */
  readonly rename: (from: string, to: string) => void;
  /** Whether a file is still being attached to it. */
  readonly isAttaching: (sessionId: string) => boolean;
  /** Runs a task that attaches files. */
  readonly attach: (sessionId: string, task: () => Promise<void>) => Promise<void>;
  /** Notifies of changes that were made in this page. */
  readonly subscribe: (sessionId: string, listener: () => void) => () => void;
};

/** Always the same, so that readers see no change. */
const noImages: readonly Image[] = [];

/**
 * The draft of each session until it is sent. Images are too large to store, so a reload loses them. Tabs in which
 * different texts are typed keep each its own; a new tab begins with the newest.
 */
export function createDraftStore(shared: Storage, own: Storage): DraftStore {
  const renamed = new Map<string, string>();
  const idOf = (sessionId: string): string => renamed.get(sessionId) ?? sessionId;
  const key = (sessionId: string): string => `liminal.draft.${idOf(sessionId)}`;
  const images = new Map<string, readonly Image[]>();
  const mentions = new Map<string, Set<string>>();
  const attaching = new Set<{ readonly sessionId: string }>();
  const listeners = new Set<{ readonly sessionId: string; readonly listener: () => void }>();
  const notify = (sessionId: string): void => {
    for (const each of listeners) if (idOf(each.sessionId) === idOf(sessionId)) each.listener();
  };
  const drafts: DraftStore = {
    read: (sessionId) => own.read(key(sessionId)) ?? shared.read(key(sessionId)) ?? '',
    write(sessionId, text) {
      const isOfAnotherTab = shared.read(key(sessionId)) !== drafts.read(sessionId);
      own.write(key(sessionId), text);
      if (text !== '') shared.write(key(sessionId), text);
      else if (!isOfAnotherTab) shared.write(key(sessionId), null);
      notify(sessionId);
    },
    add: (sessionId, text) =>
      drafts.write(sessionId, [text, drafts.read(sessionId)].filter((part) => part.trim() !== '').join('\n\n')),
    images: (sessionId) => images.get(idOf(sessionId)) ?? noImages,
    keepImages(sessionId, kept) {
      images.set(idOf(sessionId), kept);
      notify(sessionId);
    },
    mentions(sessionId) {
      const known = mentions.get(idOf(sessionId)) ?? new Set();
      mentions.set(idOf(sessionId), known);
      return known;
    },
    isEmpty: (sessionId) => drafts.read(sessionId).trim() === '' && drafts.images(sessionId).length === 0,
    move(from, to) {
      drafts.write(to, drafts.read(from));
      drafts.keepImages(to, drafts.images(from));
      drafts.write(from, '');
      drafts.keepImages(from, noImages);
      for (const path of drafts.mentions(from)) drafts.mentions(to).add(path);
      mentions.delete(from);
    },
    rename(from, to) {
      drafts.move(from, to);
      renamed.set(from, to);
      // Those that show it by its old id saw it leave.
      notify(to);
    },
    isAttaching: (sessionId) => [...attaching].some((each) => idOf(each.sessionId) === idOf(sessionId)),
    async attach(sessionId, task) {
      const place = { sessionId };
      attaching.add(place);
      await task().finally(() => attaching.delete(place));
    },
    subscribe(sessionId, listener) {
      const place = { sessionId, listener };
      listeners.add(place);
      return () => listeners.delete(place);
    },
  };
  return drafts;
}
