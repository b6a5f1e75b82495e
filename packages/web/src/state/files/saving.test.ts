import { describe, expect, it } from 'vitest';
import { setUp } from './testing/one-file.ts';

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

describe('FL-3: a file that is opened again while it is saved', () => {
  /** Edits a file, saves it, shows another one and then the first again, which loads only after the save has ended. */
  async function reopenWhileSaving(typed = 'mine') {
    const setup = setUp();
    const { server } = setup;
    const store = await setup.open();
    store.edit('mine');
    const [save, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.saving = save.promise;
    const saved = store.save();
    if (typed !== 'mine') store.edit(typed);
    await expect.poll(() => server.draft?.text).toBe(typed);
    await store.open({ path: 'b.ts' });
    server.reading = read.promise;
    const opened = store.open({ path: 'a.ts' });
    server.reading = Promise.resolve();
    const finish = async (): Promise<void> => {
      save.resolve();
      await saved;
      read.resolve();
      await opened;
    };
    return { ...setup, store, finish };
  }

  it('keeps its edits if the file changed on disk, and reports that', async () => {
    const { disk, kept, server, reports, store, finish } = await reopenWhileSaving();
    disk.content = 'theirs';
    await finish();
    expect(reports).toEqual(["Couldn't save a.ts. Your edits are kept. It was changed."]);
    expect(store.file.get()).toMatchObject({ edited: 'mine', isSaving: false, failure: null });
    await expect.poll(() => [kept.size, server.draft?.text]).toEqual([0, 'mine']);
  });

  it('keeps its edits if the server can’t be reached', async () => {
    const { server, reports, store, finish } = await reopenWhileSaving();
    server.isDown = true;
    await finish();
    expect(server.draft?.text).toBe('mine');
    expect(reports).toEqual(["Couldn't save a.ts. Your edits are kept. The server is gone."]);
    server.isDown = false;
    await store.retry();
    expect(store.file.get()).toMatchObject({ edited: 'mine', read: { content: 'one' } });
  });

  it('keeps text that was typed during the save', async () => {
    const { disk, server, store, finish } = await reopenWhileSaving('mine and more');
    await finish();
    expect(disk.content).toBe('mine');
    expect(store.file.get()).toMatchObject({ edited: 'mine and more', other: null, read: { content: 'mine' } });
    await expect.poll(() => server.draft).toMatchObject({ text: 'mine and more', etag: 'of mine' });
  });

  it('has no edits once it is saved, and isn’t saved twice meanwhile', async () => {
    const { server, store, finish } = await reopenWhileSaving();
    expect(store.file.get()).toMatchObject({ isSaving: true });
    await finish();
    expect(store.file.get()).toMatchObject({ edited: null, isSaving: false, read: { content: 'mine' } });
    await expect.poll(() => server.draft).toBeNull();
  });
});

describe('FL-3: text that is typed back to the version on disk during a save', () => {
  async function undoWhileSaving() {
    const setup = setUp();
    const store = await setup.open();
    store.edit('mine');
    const { promise, resolve } = Promise.withResolvers<void>();
    setup.server.saving = promise;
    const saved = store.save();
    store.edit('one');
    const finish = async (): Promise<void> => {
      resolve();
      await saved;
    };
    return { ...setup, store, finish };
  }

  it('is unsaved once the save succeeds', async () => {
    const { disk, server, store, finish } = await undoWhileSaving();
    await finish();
    expect(disk.content).toBe('mine');
    expect(store.file.get()).toMatchObject({ edited: 'one', read: { content: 'mine' } });
    await expect.poll(() => server.draft).toMatchObject({ text: 'one', etag: 'of mine' });
  });

  it('is no edit if the save fails', async () => {
    const { kept, server, store, finish } = await undoWhileSaving();
    server.isDown = true;
    await finish();
    expect(store.file.get()).toMatchObject({ edited: null, failure: { task: 'save' } });
    expect(kept.size).toBe(0);
  });
});
