import { describe, expect, it } from 'vitest';
import type { FileDraft, FileReply, SaveDraftBody } from '@liminal/contracts';
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

const stale: ApiResult<never> = { ok: false, failure: { code: 'STALE', message: 'Another was kept.' } };

/** A disk with one file, drafts on the server, and browsers with their own storage. */
function setUp() {
  const disk = { content: 'one' };
  const server: { draft: FileDraft | null; isDown: boolean; saving: Promise<void> } = {
    draft: null,
    isDown: false,
    saving: Promise.resolve(),
  };
  const reports: string[] = [];
  let versions = 0;
  const down: ApiResult<never> = { ok: false, failure: { code: 'NETWORK', message: 'The server is gone.' } };
  const drafts = {
    draft: async (_project: string, { path }: { path: string }): Promise<ApiResult<{ draft: FileDraft | null }>> =>
      server.isDown ? down : { ok: true, value: { draft: path === 'a.ts' ? server.draft : null } },
    async saveDraft(
      _project: string,
      _at: unknown,
      { text, etag, replaces }: SaveDraftBody,
    ): Promise<ApiResult<{ version: string }>> {
      if (server.isDown) return down;
      if ((server.draft?.version ?? null) !== replaces) return stale;
      const version = `v${(versions += 1)}`;
      server.draft = { text, etag, version, updatedAt: '' };
      return { ok: true, value: { version } };
    },
    async removeDraft(_project: string, { version }: { version: string }): Promise<ApiResult<object>> {
      if (server.draft !== null && server.draft.version !== version) return stale;
      server.draft = null;
      return { ok: true, value: {} };
    },
  };
  const api = {
    ...drafts,
    read: async (_project: string, { offset }: { offset?: number }): Promise<ApiResult<FileReply>> =>
      server.isDown ? down : { ok: true, value: { ...reply(disk.content), ...(offset !== undefined && { offset }) } },
    save: async (
      _project: string,
      _at: unknown,
      { content }: { content: string },
      options?: { headers?: Record<string, string> },
    ): Promise<ApiResult<{ etag: string }>> => {
      await server.saving;
      if (server.isDown) return down;
      if (options?.headers?.['If-Match'] !== `"of ${disk.content}"`)
        return { ok: false, failure: { code: 'FILE_CHANGED', message: 'It was changed.' } };
      disk.content = content;
      return { ok: true, value: { etag: `of ${content}` } };
    },
  };
  const browser = () => {
    const kept = new Map<string, string>();
    const storage = {
      read: (key: string) => kept.get(key) ?? null,
      write: (key: string, value: string | null) => void (value === null ? kept.delete(key) : kept.set(key, value)),
    };
    return { kept, storage };
  };
  const first = browser();
  const open = async ({ storage } = first) => {
    const after = (_milliseconds: number, task: () => void) => (task(), () => {});
    const report = (what: string, { message }: { message: string }) => void reports.push(`${what} ${message}`);
    const store = createFileStore({ api, storage, projectId: 'p', after, report } as never);
    await store.open({ path: 'a.ts' });
    return store;
  };
  return { disk, server, reports, kept: first.kept, browser, open };
}

describe('FL-3: an open file', () => {
  it('is saved to disk', async () => {
    const { disk, kept, server, open } = setUp();
    const store = await open();
    store.edit('two');
    expect(store.file.get()).toMatchObject({ edited: 'two' });
    await store.save();
    expect(disk.content).toBe('two');
    expect(store.file.get()).toMatchObject({ edited: null, other: null, failure: null });
    await expect.poll(() => [kept.size, server.draft]).toEqual([0, null]);
  });

  it('follows the disk while it has no edits, and never overwrites edits', async () => {
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

  it('shows both versions if it changed before it was saved; the user can keep either', async () => {
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

  it('keeps unsaved edits after a reload, and reports if the file changed meanwhile', async () => {
    const { disk, kept, server, open } = setUp();
    (await open()).edit('not saved');
    await expect.poll(() => server.draft?.text).toBe('not saved');
    expect(kept.size).toBe(0);
    expect((await open()).file.get()).toMatchObject({ edited: 'not saved', other: null });
    disk.content = 'another';
    expect((await open()).file.get()).toMatchObject({ edited: 'not saved', other: { content: 'another' } });
  });
});

describe('FL-3: an open file after a failure', () => {
  it('retries whatever failed: opening, reading, showing a part or saving', async () => {
    const { disk, server, open } = setUp();
    server.isDown = true;
    const store = await open();
    const failure = () => store.file.get()?.failure;
    expect(store.file.get()).toMatchObject({ read: null, failure: { code: 'NETWORK', task: 'open' } });
    server.isDown = false;
    await store.retry();
    expect(store.file.get()).toMatchObject({ read: { content: 'one' }, failure: null });

    server.isDown = true;
    await store.refresh();
    expect(failure()).toMatchObject({ task: 'refresh' });
    await store.showPart(1024);
    expect(failure()).toMatchObject({ task: { part: 1024 } });
    server.isDown = false;
    await store.retry();
    expect(store.file.get()).toMatchObject({ read: { offset: 1024 }, failure: null });

    store.edit('two');
    server.isDown = true;
    await store.save();
    server.isDown = false;
    await store.refresh();
    expect(failure()).toMatchObject({ task: 'save' });
    await store.retry();
    expect(disk.content).toBe('two');
    expect(store.file.get()).toMatchObject({ edited: null, failure: null });
  });

  it('keeps typed text if two attempts succeed', async () => {
    const { server, open } = setUp();
    server.isDown = true;
    const store = await open();
    server.isDown = false;
    const tries = [store.retry(), store.retry()];
    await tries[0];
    store.edit('typed');
    await tries[1];
    expect(store.file.get()).toMatchObject({ edited: 'typed', read: { content: 'one' } });
  });
});

describe('FL-3: a file that is saved while another one is opened', () => {
  /** Edits a file, and opens another one while it is saved. */
  async function leaveWhileSaving() {
    const setup = setUp();
    const store = await setup.open();
    store.edit('mine');
    await expect.poll(() => setup.server.draft?.text).toBe('mine');
    const { promise, resolve } = Promise.withResolvers<void>();
    setup.server.saving = promise;
    const saved = store.save();
    const finish = async (): Promise<void> => {
      await store.open({ path: 'b.ts' });
      resolve();
      await saved;
    };
    return { ...setup, store, finish };
  }

  it('has no unsaved edits any more once it is saved', async () => {
    const { disk, server, reports, store, finish } = await leaveWhileSaving();
    await finish();
    await expect.poll(() => server.draft).toBeNull();
    disk.content = 'by the agent';
    await store.open({ path: 'a.ts' });
    expect(store.file.get()).toMatchObject({ edited: null, other: null, read: { content: 'by the agent' } });
    expect(reports).toEqual([]);
  });

  it('keeps text that was typed during the save', async () => {
    const { server, store, finish } = await leaveWhileSaving();
    store.edit('mine and more');
    await finish();
    await expect.poll(() => server.draft).toMatchObject({ text: 'mine and more', etag: 'of mine' });
    await store.open({ path: 'a.ts' });
    expect(store.file.get()).toMatchObject({ edited: 'mine and more', other: null });
  });

  it('reports that it couldn’t be saved, and keeps its edits', async () => {
    const { disk, reports, store, finish } = await leaveWhileSaving();
    disk.content = 'theirs';
    await finish();
    expect(reports).toEqual(["Couldn't save a.ts. Your edits are kept. It was changed."]);
    await store.open({ path: 'a.ts' });
    expect(store.file.get()).toMatchObject({ edited: 'mine', other: { content: 'theirs' } });
  });
});

describe('FL-3: unsaved edits of a file', () => {
  it('appear in another browser, and end there when they are saved in the first', async () => {
    const { disk, server, browser, open } = setUp();
    const [mine, other] = [await open(), await open(browser())];
    mine.edit('from my laptop');
    await expect.poll(() => server.draft?.text).toBe('from my laptop');
    await other.refresh();
    expect(other.file.get()).toMatchObject({ edited: 'from my laptop', version: 2 });
    await mine.save();
    await expect.poll(() => server.draft).toBeNull();
    await other.refresh();
    expect(disk.content).toBe('from my laptop');
    expect(other.file.get()).toMatchObject({ edited: null, other: null, read: { content: 'from my laptop' } });
  });

  it('of two browsers never overwrite each other; the user chooses', async () => {
    const { server, browser, open } = setUp();
    const [mine, other] = [await open(), await open(browser())];
    mine.edit('mine');
    await expect.poll(() => server.draft?.text).toBe('mine');
    other.edit('the other');
    await expect.poll(() => other.file.get()?.elsewhere?.text).toBe('mine');
    expect(server.draft?.text).toBe('mine');
    other.keepEdits();
    await expect.poll(() => server.draft?.text).toBe('the other');
    mine.edit('mine again');
    await expect.poll(() => mine.file.get()?.elsewhere?.text).toBe('the other');
    mine.takeEdits();
    expect(mine.file.get()).toMatchObject({ edited: 'the other', elsewhere: null });
    expect(server.draft?.text).toBe('the other');
  });

  it('are kept in the browser while the server is gone, and are sent after a reload', async () => {
    const { server, kept, open } = setUp();
    const store = await open();
    server.isDown = true;
    store.edit('typed on the train');
    await expect.poll(() => kept.size).toBe(1);
    server.isDown = false;
    expect((await open()).file.get()).toMatchObject({ edited: 'typed on the train' });
    await expect.poll(() => [server.draft?.text, kept.size]).toEqual(['typed on the train', 0]);
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
    rowsOf({ folders, expanded: new Set(expanded), showsIgnored, failures: new Map() }).map(
      ({ key, depth }) => `${depth} ${key}`,
    );

  it('are below their folder when it is expanded, and ignored ones can be hidden', () => {
    expect(rows([])).toEqual(['0 src', '0 dist', '0 a.md']);
    expect(rows(['src'], false)).toEqual(['0 src', '1 src/b.ts', '0 a.md']);
  });
});
