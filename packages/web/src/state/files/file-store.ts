import type { ApiFailure, RouteCalls } from '@liminal/client/call-routes';
import type { FileDraft, FileReply } from '@liminal/contracts';
import { createCell } from '../base/cell.ts';
import { createFileDrafts, type FileDraftsDeps } from './file-drafts.ts';

export type OpenFile = {
  readonly path: string;
  /** The loaded file; null until it has loaded for the first time. */
  readonly read: FileReply | null;
  /** The edited text; null if it equals the file on disk. */
  readonly edited: string | null;
  /** The file on disk, if it changed since the edits started. */
  readonly other: FileReply | null;
  /** Edits in another browser, if they differ from these. */
  readonly elsewhere: FileDraft | null;
  readonly isSaving: boolean;
  /** The last failure, and the step to retry. */
  readonly failure: FileFailure | null;
  /** Counts texts that came from outside the editor. The editor then shows the new one. */
  readonly version: number;
};

type FileFailure = ApiFailure & { readonly task: FileTask };
/** `part`: the offset of the requested part. */
type FileTask = 'open' | 'refresh' | 'save' | { readonly part: number };

type FileStoreDeps = Omit<FileDraftsDeps, 'api' | 'onElsewhere'> & {
  readonly api: Pick<RouteCalls['file'], 'read' | 'save'> & FileDraftsDeps['api'];
  /** Reports a failure of a file that is no longer shown. */
  readonly report: (what: string, failure: ApiFailure) => void;
};
export type FileStore = ReturnType<typeof createFileStore>;

/** The open file of a project. Edits are kept on the server until they are saved. */
export function createFileStore(deps: FileStoreDeps) {
  const { api, projectId, worktreeId } = deps;
  const file = createCell<OpenFile | null>(null);
  /** The position in the file to go to. */
  const sought = createCell<FilePlace>({ path: '' });
  const place = worktreeId === undefined ? {} : { worktreeId };
  const patch = (path: string, part: (held: OpenFile) => Partial<OpenFile>): void =>
    file.update((held) => (held?.path === path ? { ...held, ...part(held) } : held));
  const drafts = createFileDrafts({
    ...deps,
    onElsewhere: (path, elsewhere) => patch(path, () => ({ elsewhere })),
  });
  /** The text of each file that was edited, also while another file is shown. */
  const newest = new Map<string, string | null>();
  const keepDraft = ({ path, edited, read }: OpenFile): void => {
    // Whether a file has edits isn't known until it has loaded.
    if (read === null) return;
    newest.set(path, edited);
    drafts.keep(path, edited === null ? null : { text: edited, etag: read.etag });
  };
  /** Files whose save hasn't been answered, also while another file is shown. */
  const saving = new Set<string>();

  async function open(at: FilePlace): Promise<void> {
    const { path } = at;
    sought.set(at);
    if (file.get()?.path === path) return refresh();
    const nothing = { read: null, edited: null, other: null, elsewhere: null, failure: null };
    file.set({ path, ...nothing, isSaving: saving.has(path), version: 0 });
    return readFirst(path);
  }

  async function readFirst(path: string): Promise<void> {
    const [read, { edits, elsewhere, failure }] = await Promise.all([
      api.read(projectId, { path, ...place }),
      drafts.find(path),
    ]);
    patch(path, (now) => {
      // Another attempt was faster, and the user may already be typing.
      if (now.read !== null) return {};
      if (!read.ok) return { failure: { ...read.failure, task: 'open' } };
      // Edits that weren't found would be replaced by what is typed next.
      if (failure) return { failure: { ...failure, task: 'open' } };
      const opened = { failure: null, version: now.version + 1 };
      if (edits === null || edits.text === read.value.content) return { ...opened, read: read.value };
      return { ...opened, ...editedFrom(read.value, edits), elsewhere };
    });
  }

  /** A file with edits that started from an earlier version of it. */
  const editedFrom = (read: FileReply, { text, etag }: { text: string; etag: string }) => ({
    read: { ...read, etag },
    edited: text,
    other: etag === read.etag ? null : read,
  });

  /** Checks the disk again: a file without edits follows it, edits are never overwritten. */
  async function refresh(): Promise<void> {
    const held = file.get();
    if (held === null || held.isSaving) return;
    if (held.failure?.task === 'open') return readFirst(held.path);
    const isOwn = held.edited !== null && (!drafts.isKept(held.path) || !drafts.hasVersion(held.path));
    drafts.sendAgain(held.path);
    // Local edits aren't searched for elsewhere. For a large file, only the visible part is checked.
    const { offset = 0 } = held.read ?? {};
    const [read, found] = await Promise.all([
      api.read(projectId, { path: held.path, ...(offset > 0 && { offset }), ...place }),
      isOwn ? null : drafts.find(held.path),
    ]);
    patch(held.path, (now) => {
      const failed = (failure: ApiFailure): Partial<OpenFile> => ({
        failure: { ...failure, task: now.read === null ? 'open' : 'refresh' },
      });
      if (!read.ok) return failed(read.failure);
      if (found?.failure) return failed(found.failure);
      // Text typed in the meantime wins.
      if (now.isSaving || now.edited !== held.edited) return {};
      const edits = found?.edits ?? null;
      if (edits !== null && edits.text !== read.value.content && edits.text !== now.edited)
        return { ...editedFrom(read.value, edits), failure: null, version: now.version + 1 };
      // Another browser saved or discarded these edits.
      const isOver = found !== null && edits === null && now.edited !== null;
      if (isOver) return { read: read.value, edited: null, other: null, failure: null, version: now.version + 1 };
      // A failed save is still a failed save.
      const failure = now.failure?.task === 'save' ? now.failure : null;
      if (now.read?.etag === read.value.etag) return { failure, other: null };
      if (now.edited !== null) return { other: read.value };
      return { read: read.value, failure: null, other: null, version: now.version + 1 };
    });
  }

  /** Shows another part of a file that is too large to load at once. */
  async function showPart(offset: number): Promise<void> {
    const { path = '' } = file.get() ?? {};
    const read = await api.read(projectId, { path, offset, ...place });
    patch(path, ({ version }) =>
      read.ok
        ? { read: read.value, failure: null, version: version + 1 }
        : { failure: { ...read.failure, task: { part: offset } } },
    );
  }

  /** Shows why a save failed. A file that isn't shown or hasn't loaded again can't show it. */
  const saveFailed = (path: string, failure: ApiFailure, part: Partial<OpenFile> = {}): void => {
    const now = file.get();
    const isLoaded = now?.path === path && now.read !== null;
    patch(path, () => ({ isSaving: false, ...(isLoaded && { failure: { ...failure, task: 'save' }, ...part }) }));
    if (!isLoaded) deps.report(`Couldn't save ${path}. Your edits are kept.`, failure);
    else if (now.edited !== null) edit(now.edited);
  };

  async function save(): Promise<void> {
    const held = file.get();
    if (held === null || held.read === null || held.edited === null || held.isSaving) return;
    await drafts.track(held.path, saveEdits(held.path, held.edited, held.read));
  }

  async function saveEdits(path: string, edited: string, read: FileReply): Promise<void> {
    patch(path, () => ({ isSaving: true, failure: null }));
    newest.set(path, edited);
    saving.add(path);
    const headers = { 'If-Match': `"${read.etag}"` };
    const saved = await api.save(projectId, { path, ...place }, { content: edited }, { headers });
    const isChanged = !saved.ok && saved.failure.code === 'FILE_CHANGED';
    const other = isChanged ? await api.read(projectId, { path, ...place }) : null;
    saving.delete(path);
    if (!saved.ok)
      return saveFailed(path, saved.failure, other?.ok === true ? { other: other.value, failure: null } : {});
    patch(path, (now) => {
      // Text typed during the save still has to be saved. A file that was opened again hasn't loaded it yet.
      const text = now.read === null ? (newest.get(path) ?? null) : now.edited;
      return {
        isSaving: false,
        other: null,
        failure: null,
        read: { ...read, content: edited, etag: saved.value.etag },
        edited: text === edited ? null : text,
        ...(now.read === null && { version: now.version + 1 }),
      };
    });
    const now = file.get();
    if (now?.path === path) return keepDraft(now);
    const text = newest.get(path) ?? null;
    drafts.keep(path, text === null || text === edited ? null : { text, etag: saved.value.etag });
  }

  function edit(text: string): void {
    const held = file.get();
    if (held === null || held.read === null) return;
    // During a save it isn't known which text will be on disk.
    patch(held.path, ({ read, isSaving }) => ({ edited: text === read?.content && !isSaving ? null : text }));
    const now = file.get();
    if (now) keepDraft(now);
  }

  /** Retries what failed last. */
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
    edit,
    /** Keeps the user's version: the next save replaces the file on disk. */
    keepMine(): void {
      const held = file.get();
      if (held === null || held.other === null) return;
      patch(held.path, ({ read, other }) => ({
        read: read && other ? { ...read, etag: other.etag } : read,
        other: null,
      }));
      void save();
    },
    /** Keeps the version on disk and discards the edits. */
    takeOther(): void {
      const held = file.get();
      if (held === null || held.other === null) return;
      patch(held.path, ({ other, version }) => ({ read: other, edited: null, other: null, version: version + 1 }));
      const now = file.get();
      if (now) keepDraft(now);
    },
    /** Keeps these edits: they replace the other browser's. */
    keepEdits(): void {
      const held = file.get();
      if (held === null || held.elsewhere === null) return;
      drafts.take(held.path, held.elsewhere);
      patch(held.path, () => ({ elsewhere: null }));
      keepDraft(held);
    },
    /** Keeps the other browser's edits. */
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
