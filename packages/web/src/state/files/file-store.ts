import type { ApiFailure, RouteCalls } from '@liminal/client/call-routes';
import type { FileReply } from '@liminal/contracts';
import type { Storage } from '../../browser/storage.ts';
import { createCell } from '../base/cell.ts';

export type OpenFile = {
  readonly path: string;
  /** What was read; null while it is being read for the first time. */
  readonly read: FileReply | null;
  /** What the person made of it; null when that is what is on disk. */
  readonly edited: string | null;
  /** What is on disk by now, when it is not what the edits began with. */
  readonly other: FileReply | null;
  readonly isSaving: boolean;
  readonly failure: ApiFailure | null;
  /** Counts texts that came from the disk: the editor takes them over. */
  readonly version: number;
};

type FileStoreDeps = {
  readonly api: Pick<RouteCalls['file'], 'read' | 'save'>;
  readonly storage: Storage;
  readonly projectId: string;
  readonly worktreeId?: string | undefined;
};
export type FileStore = ReturnType<typeof createFileStore>;

/** The file that is open in a project: read, edited and saved. Edits are kept in the browser until they are saved. */
export function createFileStore({ api, storage, projectId, worktreeId }: FileStoreDeps) {
  const file = createCell<OpenFile | null>(null);
  /** Where in it the person wants to be. */
  const sought = createCell<FilePlace>({ path: '' });
  const place = worktreeId === undefined ? {} : { worktreeId };
  const draftKey = (path: string): string => `liminal.file.${projectId}.${worktreeId ?? ''}.${path}`;
  const patch = (path: string, part: (held: OpenFile) => Partial<OpenFile>): void =>
    file.update((held) => (held?.path === path ? { ...held, ...part(held) } : held));
  const keepDraft = (held: OpenFile): void =>
    storage.write(
      draftKey(held.path),
      held.edited === null || held.read === null ? null : JSON.stringify({ text: held.edited, etag: held.read.etag }),
    );

  async function open(at: FilePlace): Promise<void> {
    const { path } = at;
    sought.set(at);
    if (file.get()?.path === path) return refresh();
    file.set({ path, read: null, edited: null, other: null, isSaving: false, failure: null, version: 0 });
    const read = await api.read(projectId, { path, ...place });
    const draft = readDraft(storage.read(draftKey(path)));
    patch(path, () => {
      if (!read.ok) return { failure: read.failure };
      if (draft === null || draft.text === read.value.content) return { read: read.value, version: 1 };
      const isOld = draft.etag !== read.value.etag;
      return {
        read: { ...read.value, etag: draft.etag },
        edited: draft.text,
        other: isOld ? read.value : null,
        version: 1,
      };
    });
  }

  /** Looks at the disk again: what is not being edited follows it, what is edited is never overwritten. */
  async function refresh(): Promise<void> {
    const held = file.get();
    if (held === null || held.isSaving) return;
    const read = await api.read(projectId, { path: held.path, ...place });
    patch(held.path, (now) => {
      if (!read.ok) return { failure: read.failure };
      if (now.isSaving || now.read?.etag === read.value.etag) return { failure: null, other: null };
      if (now.edited !== null) return { other: read.value };
      return { read: read.value, failure: null, other: null, version: now.version + 1 };
    });
  }

  async function save(): Promise<void> {
    const held = file.get();
    if (held === null || held.read === null || held.edited === null || held.isSaving) return;
    const { path, edited, read } = held;
    patch(path, () => ({ isSaving: true, failure: null }));
    const headers = { 'If-Match': `"${read.etag}"` };
    const saved = await api.save(projectId, { path, ...place }, { content: edited }, { headers });
    if (!saved.ok && saved.failure.code === 'FILE_CHANGED') {
      const other = await api.read(projectId, { path, ...place });
      patch(path, () => ({
        isSaving: false,
        other: other.ok ? other.value : null,
        failure: other.ok ? null : saved.failure,
      }));
      return;
    }
    patch(path, (now) => {
      if (!saved.ok) return { isSaving: false, failure: saved.failure };
      // What was typed while it was saved is still to be saved.
      const isMore = now.edited !== null && now.edited !== edited;
      return {
        isSaving: false,
        other: null,
        failure: null,
        read: { ...read, content: edited, etag: saved.value.etag },
        edited: isMore ? now.edited : null,
      };
    });
    const now = file.get();
    if (now?.path === path) keepDraft(now);
  }

  return {
    file,
    sought,
    open,
    refresh,
    save,
    edit(text: string): void {
      const held = file.get();
      if (held === null || held.read === null) return;
      patch(held.path, ({ read }) => ({ edited: text === read?.content ? null : text }));
      const now = file.get();
      if (now) keepDraft(now);
    },
    /** Of two versions, the person's: the next save replaces what is on disk. */
    keepMine(): void {
      const held = file.get();
      if (held === null || held.other === null) return;
      patch(held.path, ({ read, other }) => ({
        read: read && other ? { ...read, etag: other.etag } : read,
        other: null,
      }));
      void save();
    },
    /** Of two versions, the one on disk: the edits are given up. */
    takeOther(): void {
      const held = file.get();
      if (held === null || held.other === null) return;
      patch(held.path, ({ other, version }) => ({ read: other, edited: null, other: null, version: version + 1 }));
      const now = file.get();
      if (now) keepDraft(now);
    },
    close: (): void => file.set(null),
  };
}

function readDraft(text: string | null): { text: string; etag: string } | null {
  try {
    const read = JSON.parse(text ?? 'null') as { text?: unknown; etag?: unknown } | null;
    return typeof read?.text === 'string' && typeof read.etag === 'string'
      ? { text: read.text, etag: read.etag }
      : null;
  } catch {
    return null;
  }
}

/** A place in a file. */
export type FilePlace = { readonly path: string; readonly line?: number; readonly column?: number };
