import { describe, expect, it } from 'vitest';
import type { FileReply } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import { createFileStore } from './file-store.ts';
import { rowsOf } from './tree-store.ts';

const reply = (content: string): FileReply => ({
  path: 'a.ts',
  content,
  eol: 'lf',
  bom: false,
  size: content.length,
  binary: false,
  readOnly: false,
  etag: `of ${content}`,
});

/** A disk with one file, and the browser's own storage. */
function setUp() {
  const disk = { content: 'one' };
  const kept = new Map<string, string>();
  const storage = {
    read: (key: string) => kept.get(key) ?? null,
    write: (key: string, value: string | null) => void (value === null ? kept.delete(key) : kept.set(key, value)),
  };
  const api = {
    read: async (): Promise<ApiResult<FileReply>> => ({ ok: true, value: reply(disk.content) }),
    save: async (
      _project: string,
      _at: unknown,
      { content }: { content: string },
      options?: { headers?: Record<string, string> },
    ): Promise<ApiResult<{ etag: string }>> => {
      if (options?.headers?.['If-Match'] !== `"of ${disk.content}"`)
        return { ok: false, failure: { code: 'FILE_CHANGED', message: 'It was changed.' } };
      disk.content = content;
      return { ok: true, value: { etag: `of ${content}` } };
    },
  };
  const open = async () => {
    const store = createFileStore({ api, storage, projectId: 'p' } as never);
    await store.open({ path: 'a.ts' });
    return store;
  };
  return { disk, kept, open };
}

describe('FL-3: an open file', () => {
  it('is saved, and is then what is on disk', async () => {
    const { disk, kept, open } = setUp();
    const store = await open();
    store.edit('two');
    expect(store.file.get()).toMatchObject({ edited: 'two' });
    await store.save();
    expect(disk.content).toBe('two');
    expect(store.file.get()).toMatchObject({ edited: null, other: null, failure: null });
    expect(kept.size).toBe(0);
  });

  it('follows the disk while nobody edits it, and never over edits', async () => {
    const { disk, open } = setUp();
    const store = await open();
    disk.content = 'by the agent';
    await store.refresh();
    expect(store.file.get()?.read?.content).toBe('by the agent');
    store.edit('mine');
    disk.content = 'by the agent again';
    await store.refresh();
    expect(store.file.get()).toMatchObject({ edited: 'mine', other: { content: 'by the agent again' } });
  });

  it('shows both versions when it changed before it was saved; either may be kept', async () => {
    const { disk, open } = setUp();
    const store = await open();
    store.edit('mine');
    disk.content = 'theirs';
    await store.save();
    expect(disk.content).toBe('theirs');
    expect(store.file.get()).toMatchObject({ edited: 'mine', other: { content: 'theirs' }, isSaving: false });
    store.takeOther();
    expect(store.file.get()).toMatchObject({ edited: null, read: { content: 'theirs' } });

    store.edit('mine again');
    disk.content = 'theirs again';
    await store.save();
    store.keepMine();
    await expect.poll(() => disk.content).toBe('mine again');
  });

  it('keeps unsaved edits over a reload, and says when the file moved on meanwhile', async () => {
    const { disk, open } = setUp();
    (await open()).edit('not saved');
    expect((await open()).file.get()).toMatchObject({ edited: 'not saved', other: null });
    disk.content = 'another';
    expect((await open()).file.get()).toMatchObject({ edited: 'not saved', other: { content: 'another' } });
  });
});

describe('FL-1: the rows of a tree', () => {
  const entry = (path: string, kind: 'file' | 'folder', ignored = false) => ({
    name: path.split('/').at(-1) ?? '',
    path,
    kind,
    ignored,
  });
  const folders = new Map([
    ['', { entries: [entry('src', 'folder'), entry('dist', 'folder', true), entry('a.md', 'file')], truncated: false }],
    ['src', { entries: [entry('src/b.ts', 'file')], truncated: false }],
  ]);
  const rows = (expanded: string[], showsIgnored = true) =>
    rowsOf({ folders, expanded: new Set(expanded), showsIgnored, failure: null }).map(
      ({ entry: { path }, depth }) => `${depth} ${path}`,
    );

  it('stand below their folder when it is expanded, and ignored ones can be hidden', () => {
    expect(rows([])).toEqual(['0 src', '0 dist', '0 a.md']);
    expect(rows(['src'], false)).toEqual(['0 src', '1 src/b.ts', '0 a.md']);
  });
});
