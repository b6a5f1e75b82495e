import type { ApiFailure, RouteCalls } from '@liminal/client/call-routes';
import type { FileDraft, FileReply } from '@liminal/contracts';
import { createCell } from '../base/cell.ts';
import { createFileDrafts, type FileDraftsDeps } from './file-drafts.ts';

export type OpenFile = {
  readonly path: string;
  /** What was read; null while it is being read for the first time. */
  readonly read: FileReply | null;
  /** What the user made of it; null when that is what is on disk. */
  readonly edited: string | null;
  /** What is on disk by now, when it is not what the edits began with. */
  readonly other: FileReply | null;
  /** Edits of it that another browser kept, when they are not these. */
  readonly elsewhere: FileDraft | null;
  readonly isSaving: boolean;
  /** What went wrong last, and what to do to try again. */
  readonly failure: FileFailure | null;
  /** Counts texts that did not come from the editor: it takes them over. */
  readonly version: number;
};

type FileFailure = ApiFailure & { readonly task: FileTask };
/** `part`: where the part begins that was wanted. */
type FileTask = 'open' | 'refresh' | 'save' | { readonly part: number };

type FileStoreDeps = Omit<FileDraftsDeps, 'api' | 'onElsewhere'> & {
  readonly api: Pick<RouteCalls['file'], 'read' | 'save'> & FileDraftsDeps['api'];
};
export type FileStore = ReturnType<typeof createFileStore>;

/** The file that is open in a project: read, edited and saved. Edits are kept on the server until they are saved. */
export function createFileStore(deps: FileStoreDeps) {
  const { api, projectId, worktreeId } = deps;
  const file = createCell<OpenFile | null>(null);
  /** Where in it the user wants to be. */
  const sought = createCell<FilePlace>({ path: '' });
  const place = worktreeId === undefined ? {} : { worktreeId };
  const patch = (path: string, part: (held: OpenFile) => Partial<OpenFile>): void =>
    file.update((held) => (held?.path === path ? { ...held, ...part(held) } : held));
  const drafts = createFileDrafts({
    ...deps,
    onElsewhere: (path, elsewhere) => patch(path, () => ({ elsewhere })),
  });
  const keepDraft = ({ path, edited, read }: OpenFile): void =>
    drafts.keep(path, edited === null || read === null ? null : { text: edited, etag: read.etag });

  async function open(at: FilePlace): Promise<void> {
    const { path } = at;
    sought.set(at);
    if (file.get()?.path === path) return refresh();
    const nothing = { read: null, edited: null, other: null, elsewhere: null, isSaving: false, failure: null };
    file.set({ path, ...nothing, version: 0 });
    return readFirst(path);
  }

  async function readFirst(path: string): Promise<void> {
    const [read, { edits, elsewhere }] = await Promise.all([
      api.read(projectId, { path, ...place }),
      drafts.find(path),
    ]);
    patch(path, (now) => {
      // Another try was faster, and the user may be writing by now.
      if (now.read !== null) return {};
      if (!read.ok) return { failure: { ...read.failure, task: 'open' } };
      const opened = { failure: null, version: now.version + 1 };
      if (edits === null || edits.text === read.value.content) return { ...opened, read: read.value };
      return { ...opened, ...editedFrom(read.value, edits), elsewhere };
    });
  }

  /** A file with edits that began with what it was then. */
  const editedFrom = (read: FileReply, { text, etag }: { text: string; etag: string }) => ({
    read: { ...read, etag },
    edited: text,
    other: etag === read.etag ? null : read,
  });

  /** Looks at the disk again: what is not being edited follows it, what is edited is never overwritten. */
  async function refresh(): Promise<void> {
    const held = file.get();
    if (held === null || held.isSaving) return;
    if (held.failure?.task === 'open') return readFirst(held.path);
    const isOwn = held.edited !== null && (!drafts.isKept(held.path) || !drafts.hasVersion(held.path));
    // Edits that are only here are not looked for elsewhere. Of a large file, the part that is shown is looked at.
    const { offset = 0 } = held.read ?? {};
    const [read, found] = await Promise.all([
      api.read(projectId, { path: held.path, ...(offset > 0 && { offset }), ...place }),
      isOwn ? null : drafts.find(held.path),
    ]);
    patch(held.path, (now) => {
      if (!read.ok) return { failure: { ...read.failure, task: now.read === null ? 'open' : 'refresh' } };
      // What was typed meanwhile counts more than what was found.
      if (now.isSaving || now.edited !== held.edited) return {};
      const edits = found?.edits ?? null;
      if (edits !== null && edits.text !== read.value.content && edits.text !== now.edited)
        return { ...editedFrom(read.value, edits), failure: null, version: now.version + 1 };
      // Another browser saved these edits, or gave them up.
      const isOver = found !== null && edits === null && now.edited !== null;
      if (isOver) return { read: read.value, edited: null, other: null, failure: null, version: now.version + 1 };
      // That it could not be saved still holds.
      const failure = now.failure?.task === 'save' ? now.failure : null;
      if (now.read?.etag === read.value.etag) return { failure, other: null };
      if (now.edited !== null) return { other: read.value };
      return { read: read.value, failure: null, other: null, version: now.version + 1 };
    });
  }

  /** Shows another part of a file that is too large to be read at once. */
  async function showPart(offset: number): Promise<void> {
    const { path = '' } = file.get() ?? {};
    const read = await api.read(projectId, { path, offset, ...place });
    patch(path, ({ version }) =>
      read.ok
        ? { read: read.value, failure: null, version: version + 1 }
        : { failure: { ...read.failure, task: { part: offset } } },
    );
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
        failure: other.ok ? null : { ...saved.failure, task: 'save' },
      }));
      return;
    }
    patch(path, (now) => {
      if (!saved.ok) return { isSaving: false, failure: { ...saved.failure, task: 'save' } };
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

  /** Does again what failed last. */
  async function retry(): Promise<void> {
    const { task = null } = file.get()?.failure ?? {};
    if (task === null) return;
    if (task === 'save') return save();
    return typeof task === 'string' ? refresh() : showPart(task.part);
  }

  return {
    file,
    sought,
    open,
    refresh,
    showPart,
    save,
    retry,
    edit(text: string): void {
      const held = file.get();
      if (held === null || held.read === null) return;
      patch(held.path, ({ read }) => ({ edited: text === read?.content ? null : text }));
      const now = file.get();
      if (now) keepDraft(now);
    },
    /** Of two versions, the user's: the next save replaces what is on disk. */
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
    /** Of two browsers' edits, these: they replace the others. */
    keepEdits(): void {
      const held = file.get();
      if (held === null || held.elsewhere === null) return;
      drafts.take(held.path, held.elsewhere);
      patch(held.path, () => ({ elsewhere: null }));
      keepDraft(held);
    },
    /** Of two browsers' edits, those of the other. */
    takeEdits(): void {
      const held = file.get();
      if (held === null || held.elsewhere === null) return;
      const { elsewhere } = held;
      drafts.take(held.path, elsewhere);
      patch(held.path, ({ read, version }) => ({
        ...(read && { read: { ...read, etag: elsewhere.etag } }),
        edited: elsewhere.text,
        elsewhere: null,
        version: version + 1,
      }));
      keepDraft({ ...held, edited: elsewhere.text, read: held.read && { ...held.read, etag: elsewhere.etag } });
    },
    close: (): void => file.set(null),
  };
}

/** A place in a file. */
export type FilePlace = { readonly path: string; readonly line?: number; readonly column?: number };
