import { describe, expect, it } from 'vitest';
import type { FileDraft, SaveDraftBody } from '@liminal/contracts';
import { movedPath } from '@liminal/domain/text/moved-path';
import { failed } from '../../testing/fake-api.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createFileMoves } from './file-moves.ts';
import { createFileStore } from './file-store.ts';

type At = { readonly path: string };
const done = { ok: true, value: {} };
const movedKeys = <T>(held: Map<string, T>, from: string, to: string): Map<string, T> =>
  new Map([...held].map(([path, value]) => [movedPath(path, from, to) ?? path, value]));

/** A server with files and drafts by path, and a page on which time passes only when a test says so. */
function setUp() {
  const server = {
    files: new Map([
      ['src/a.ts', 'one'],
      ['src/b.ts', 'two'],
    ]),
    drafts: new Map<string, FileDraft>(),
    /** The requests that change something, in order. */
    calls: [] as string[],
    refusesDrafts: false,
    saving: Promise.resolve(),
    moving: Promise.resolve(),
  };
  let versions = 0;
  const api = {
    draft: async (_project: string, { path }: At) => ({ ok: true, value: { draft: server.drafts.get(path) ?? null } }),
    async saveDraft(_project: string, { path }: At, { text, etag, replaces }: SaveDraftBody) {
      await server.saving;
      if (server.refusesDrafts) return failed('The disk is full.');
      server.calls.push(`draft ${path}`);
      if ((server.drafts.get(path)?.version ?? null) !== replaces) return failed('Another was kept.', 'STALE');
      const version = `v${(versions += 1)}`;
      server.drafts.set(path, { text, etag, version, updatedAt: '' });
      return { ok: true, value: { version } };
    },
    async removeDraft(_project: string, { path }: At) {
      server.drafts.delete(path);
      return done;
    },
    async read(_project: string, { path }: At) {
      const content = server.files.get(path);
      return content === undefined
        ? failed('There is no such file.', 'FILE_NOT_FOUND')
        : { ok: true, value: { path, content, etag: `of ${content}` } };
    },
    async save(_project: string, { path }: At, { content }: { content: string }) {
      await server.saving;
      server.calls.push(`save ${path}`);
      server.files.set(path, content);
      return { ok: true, value: { etag: `of ${content}` } };
    },
    async move(_project: string, { from, to }: { from: string; to: string }) {
      server.calls.push(`move ${from}`);
      if (server.files.has(to)) return failed('It already exists.', 'FILE_CHANGED');
      server.files = movedKeys(server.files, from, to);
      server.drafts = movedKeys(server.drafts, from, to);
      await server.moving;
      return done;
    },
  };
  const storage = memoryStorage();
  const moves = createFileMoves({ api, storage } as never);
  const timers: (() => void)[] = [];
  const pass = async (): Promise<void> => {
    for (const task of timers.splice(0)) task();
    await new Promise((resolve) => setTimeout(resolve));
  };
  const after = (_milliseconds: number, task: () => void) => (timers.push(task), () => {});
  const open = async (path: string, worktreeId?: string) => {
    const store = createFileStore({ api, storage, moves, projectId: 'p', worktreeId, after } as never);
    await store.open({ path });
    return store;
  };
  const texts = () => Object.fromEntries([...server.drafts].map(([path, { text }]) => [path, text]));
  return {
    server,
    storage,
    moves,
    pass,
    open,
    texts,
    move: (from: string, to: string) => moves.move({ projectId: 'p' }, from, to),
  };
}

describe('FL-3: unsaved edits of files that move', () => {
  it('are sent before, and follow to the new path', async () => {
    const { server, pass, open, texts, move } = setUp();
    const [store, other] = [await open('src/a.ts'), await open('src/b.ts')];
    other.edit('also mine');
    await pass();
    store.edit('mine');
    await move('src', 'lib');
    await pass();
    expect(server.calls).toEqual(['draft src/b.ts', 'draft src/a.ts', 'move src']);
    expect(texts()).toEqual({ 'lib/a.ts': 'mine', 'lib/b.ts': 'also mine' });
    await store.open({ path: 'lib/a.ts' });
    expect(store.file.get()).toMatchObject({ edited: 'mine', other: null, elsewhere: null });
  });

  it('move to the new path in the browser if the server doesn’t take them, and are sent later', async () => {
    const { server, storage, pass, open, texts, move } = setUp();
    const store = await open('src/a.ts');
    server.refusesDrafts = true;
    store.edit('mine');
    await move('src/a.ts', 'b.ts');
    expect(storage.keys()).toEqual(['liminal.file.p..b.ts']);
    server.refusesDrafts = false;
    await store.open({ path: 'b.ts' });
    expect(store.file.get()).toMatchObject({ edited: 'mine' });
    await pass();
    expect([texts(), storage.keys()]).toEqual([{ 'b.ts': 'mine' }, []]);
  });

  it('follow from an earlier visit to the page, also if their file isn’t open', async () => {
    const { storage, open, move } = setUp();
    storage.write('liminal.file.p..src/b.ts', JSON.stringify({ text: 'mine', etag: 'of two', version: null }));
    storage.write('liminal.file.p.w.src/b.ts', 'of a worktree');
    await move('src', 'lib');
    expect(storage.keys().toSorted()).toEqual(['liminal.file.p..lib/b.ts', 'liminal.file.p.w.src/b.ts']);
    expect((await open('lib/b.ts')).file.get()).toMatchObject({ edited: 'mine' });
  });

  it('never arrive at the old path, if they are on their way when it moves', async () => {
    const { server, pass, open, texts, move } = setUp();
    const store = await open('src/a.ts');
    const { promise, resolve } = Promise.withResolvers<void>();
    server.saving = promise;
    store.edit('mine');
    await pass();
    const moved = move('src/a.ts', 'b.ts');
    resolve();
    await moved;
    expect(server.calls).toEqual(['draft src/a.ts', 'move src/a.ts']);
    expect(texts()).toEqual({ 'b.ts': 'mine' });
  });

  it('never arrive at the old path, if they are typed while it moves', async () => {
    const { server, pass, open, texts, move } = setUp();
    const store = await open('src/a.ts');
    const { promise, resolve } = Promise.withResolvers<void>();
    server.moving = promise;
    const moved = move('src/a.ts', 'b.ts');
    await expect.poll(() => server.calls).toEqual(['move src/a.ts']);
    store.edit('mine');
    await pass();
    resolve();
    await moved;
    await pass();
    expect(texts()).toEqual({});
    await store.open({ path: 'b.ts' });
    expect(store.file.get()).toMatchObject({ edited: 'mine', elsewhere: null });
    await pass();
    expect(texts()).toEqual({ 'b.ts': 'mine' });
  });

  it('are gone if a save that was on its way ended them', async () => {
    const { server, storage, pass, open, texts, move } = setUp();
    const store = await open('src/a.ts');
    store.edit('mine');
    await pass();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.saving = promise;
    void store.save();
    const moved = move('src/a.ts', 'b.ts');
    resolve();
    await moved;
    await pass();
    expect(server.calls).toEqual(['draft src/a.ts', 'save src/a.ts', 'move src/a.ts']);
    expect([server.files.get('b.ts'), texts(), storage.keys()]).toEqual(['mine', {}, []]);
  });

  it('stay with their file if it can’t be moved', async () => {
    const { server, storage, pass, open, texts, move } = setUp();
    const store = await open('src/a.ts');
    server.refusesDrafts = true;
    store.edit('mine');
    expect(await move('src/a.ts', 'src/b.ts')).toMatchObject({ ok: false });
    expect(storage.keys()).toEqual(['liminal.file.p..src/a.ts']);
    server.refusesDrafts = false;
    await pass();
    expect(texts()).toEqual({ 'src/a.ts': 'mine' });
  });

  it('in another folder of the same project stay', async () => {
    const { storage, pass, open, move } = setUp();
    const store = await open('src/a.ts', 'w');
    store.edit('mine');
    await move('src', 'lib');
    expect(storage.keys()).toEqual(['liminal.file.p.w.src/a.ts']);
    await pass();
    expect(storage.keys()).toEqual([]);
  });
});
