import type { Storage } from './storage.ts';

export type DraftStore = {
  readonly read: (sessionId: string) => string;
  readonly write: (sessionId: string, text: string) => void;
};

/** What a person was writing, per session, until it is sent. */
export function createDraftStore(storage: Storage): DraftStore {
  const key = (sessionId: string): string => `liminal.draft.${sessionId}`;
  return {
    read: (sessionId) => storage.read(key(sessionId)) ?? '',
    write: (sessionId, text) => storage.write(key(sessionId), text === '' ? null : text),
  };
}
