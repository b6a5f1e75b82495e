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
  /** The session got another id: moves its draft. */
  readonly move: (from: string, to: string) => void;
};

/**
 * The draft of each session until it is sent. Images are too large to store, so a reload loses them. Tabs in which
 * different texts are typed keep each its own; a new tab begins with the newest.
 */
export function createDraftStore(shared: Storage, own: Storage): DraftStore {
  const key = (sessionId: string): string => `liminal.draft.${sessionId}`;
  const images = new Map<string, readonly Image[]>();
  const mentions = new Map<string, Set<string>>();
  const drafts: DraftStore = {
    read: (sessionId) => own.read(key(sessionId)) ?? shared.read(key(sessionId)) ?? '',
    write(sessionId, text) {
      const isOfAnotherTab = shared.read(key(sessionId)) !== drafts.read(sessionId);
      own.write(key(sessionId), text);
      if (text !== '') shared.write(key(sessionId), text);
      else if (!isOfAnotherTab) shared.write(key(sessionId), null);
    },
    add: (sessionId, text) =>
      drafts.write(sessionId, [text, drafts.read(sessionId)].filter((part) => part.trim() !== '').join('\n\n')),
    images: (sessionId) => images.get(sessionId) ?? [],
    keepImages: (sessionId, kept) => images.set(sessionId, kept),
    mentions(sessionId) {
      const known = mentions.get(sessionId) ?? new Set();
      mentions.set(sessionId, known);
      return known;
    },
    isEmpty: (sessionId) => drafts.read(sessionId).trim() === '' && drafts.images(sessionId).length === 0,
    move(from, to) {
      drafts.write(to, drafts.read(from));
      drafts.keepImages(to, drafts.images(from));
      drafts.write(from, '');
      images.delete(from);
      for (const path of drafts.mentions(from)) drafts.mentions(to).add(path);
      mentions.delete(from);
    },
  };
  return drafts;
}
