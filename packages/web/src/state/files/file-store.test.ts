import { describe, expect, it } from 'vitest';
import { setUp } from './testing/one-file.ts';
import { rowsOf } from './tree-store.ts';

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
  it('isn’t shown without its unsaved edits if only those can’t be read', async () => {
    const { server, open } = setUp();
    (await open()).edit('not saved');
    await expect.poll(() => server.draft?.text).toBe('not saved');
    server.areDraftsDown = true;
    const store = await open();
    expect(store.file.get()).toMatchObject({ read: null, failure: { task: 'open' } });
    server.areDraftsDown = false;
    await store.retry();
    expect(store.file.get()).toMatchObject({ edited: 'not saved', failure: null });
    server.areDraftsDown = true;
    await store.refresh();
    expect(store.file.get()).toMatchObject({ edited: 'not saved', failure: { task: 'refresh' } });
  });

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

  it('are sent when the file is checked again after the server was gone', async () => {
    const { server, kept, open } = setUp();
    const store = await open();
    server.isDown = true;
    store.edit('typed on the train');
    await expect.poll(() => kept.size).toBe(1);
    await store.refresh();
    server.isDown = false;
    await store.refresh();
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
