import type { Image } from '@liminal/contracts';
import type { Storage } from '../../browser/storage.ts';

export type DraftStore = {
  readonly read: (sessionId: string) => string;
  readonly write: (sessionId: string, text: string) => void;
  /** Puts a text before what is being written. */
  readonly add: (sessionId: string, text: string) => void;
  readonly images: (sessionId: string) => readonly Image[];
  readonly keepImages: (sessionId: string, images: readonly Image[]) => void;
  /** Files the draft names as such, as far as it still does. */
  readonly mentions: (sessionId: string) => Set<string>;
  readonly isEmpty: (sessionId: string) => boolean;
  /** The session has another id now: what is being written goes along. */
  readonly move: (from: string, to: string) => void;
};

/** What a user was writing, per session, until it is sent; images only as long as the page lives, for their size. */
export function createDraftStore(storage: Storage): DraftStore {
  const key = (sessionId: string): string => `liminal.draft.${sessionId}`;
  const images = new Map<string, readonly Image[]>();
  const mentions = new Map<string, Set<string>>();
  const drafts: DraftStore = {
    read: (sessionId) => storage.read(key(sessionId)) ?? '',
    write: (sessionId, text) => storage.write(key(sessionId), text === '' ? null : text),
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
