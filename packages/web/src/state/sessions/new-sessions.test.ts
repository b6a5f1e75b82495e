import { describe, expect, it, vi } from 'vitest';
import type { SessionInfo } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import { createDraftStore } from './draft-store.ts';
import { createNewSessions } from './new-sessions.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';

const models = [
  { id: 'small', name: 'Small' },
  { id: 'large', name: 'Large' },
];
const place = { projectId: 'p', cliType: 'claude-code' };
function setup(storage = memoryStorage(), info: SessionInfo = { models, modelId: 'small' }, prefix = '') {
  const create = vi.fn<Api['session']['create']>(async () => ({ ok: true, value: { sessionId: 'made', ...place } }));
  const prepare = vi.fn<Api['session']['prepare']>(async () => ({ ok: true, value: { info } }));
  const open = new Set<string>();
  const onBegun = vi.fn();
  const drafts = createDraftStore(storage, memoryStorage());
  let made = 0;
  let now = 0;
  const sessions = createNewSessions({
    api: { create, prepare },
    storage,
    drafts,
    newId: () => `${prefix}${(made += 1)}`,
    now: () => now,
    isOpen: (id) => open.has(id),
    hasMessages: () => false,
    knownInfo: () => ({}),
    onBegun,
  });
  /** Opens one as the page does: it is stored, and its agent is prepared. */
  const show = (cliType = place.cliType): string => {
    const id = sessions.open({ ...place, cliType });
    open.add(id);
    sessions.keepPrepared(id);
    return id;
  };
  const later = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { sessions, drafts, create, prepare, onBegun, open, show, later };
}

const message = { content: 'Begin', clientMessageId: 'm' };

describe('a new session', () => {
  it('WT-2: uses the worktree that was already created when it is retried', async () => {
    const { sessions, create, show } = setup();
    const id = show();
    sessions.place(id, { kind: 'worktree', branch: 'fix' });
    const failure = { code: 'SESSION_CREATE_FAILED', message: 'Setup failed.', details: { worktreeId: 'w' } };
    create.mockResolvedValueOnce({ ok: false, failure });
    expect((await sessions.begin(id, message)).ok).toBe(false);
    expect((await sessions.begin(id, message)).ok).toBe(true);
    const places = create.mock.calls.map(([body]) => body.place);
    expect(places).toEqual([
      { kind: 'worktree', branch: 'fix' },
      { kind: 'worktree', worktreeId: 'w' },
    ]);
  });

  it('is created with its first message, once, with the chosen options', async () => {
    const storage = memoryStorage();
    const { sessions, drafts, create, onBegun, show } = setup(storage);
    const id = show();
    expect(create).not.toHaveBeenCalled();
    sessions.choose(id, { modelId: 'large' });
    drafts.write(id, 'and then');
    const [first, second] = await Promise.all([sessions.begin(id, message), sessions.begin(id, message)]);
    expect(first).toEqual(second);
    expect(create.mock.calls).toEqual([[{ ...place, options: { modelId: 'large' }, clientSessionId: id, message }]]);
    expect(onBegun).toHaveBeenCalledWith(id, 'made');
    const reloaded = createDraftStore(storage, memoryStorage());
    expect([reloaded.read('made'), reloaded.read(id)]).toEqual(['and then', '']);
    expect([sessions.get().size, sessions.origin('made')?.id]).toEqual([0, id]);
  });

  it('stays, and can be created later, if the server is unreachable or rejects it', async () => {
    const { sessions, create, show } = setup();
    const id = show();
    create.mockResolvedValueOnce({ ok: false, failure: { code: 'UNREACHABLE', message: 'gone' } });
    expect(await sessions.begin(id, message)).toMatchObject({ ok: false });
    expect(sessions.get().has(id)).toBe(true);
    expect(await sessions.begin(id, message)).toMatchObject({ ok: true });
    expect(create.mock.calls.map(([body]) => body.clientSessionId)).toEqual([id, id]);
  });

  it('is reused once it is closed: an empty one for any agent, one with a draft for its own agent', () => {
    const { sessions, drafts, open, show } = setup();
    const id = show();
    open.clear();
    expect(show('codex')).toBe(id);
    expect(sessions.get().get(id)).toMatchObject({ cliType: 'codex' });
    expect(show('codex')).not.toBe(id);
    drafts.write(id, 'Hello');
    open.clear();
    expect(show()).toBe(id);
    expect(sessions.get().get(id)).toMatchObject({ cliType: 'codex' });
  });

  it('keeps its draft with another agent or folder, and its options with another folder', () => {
    const { sessions, drafts, show } = setup();
    const id = show();
    drafts.write(id, 'Hello');
    sessions.choose(id, { modelId: 'large' });
    sessions.move(id, { ...place, projectId: 'other' });
    expect(sessions.get().get(id)).toMatchObject({ projectId: 'other', options: { modelId: 'large' } });
    sessions.move(id, { projectId: 'other', cliType: 'codex' });
    expect(sessions.get().get(id)).toMatchObject({ cliType: 'codex', options: {}, info: {} });
    expect(drafts.read(id)).toBe('Hello');
  });

  it('keeps its draft when its tab is closed, and is removed if it has none', () => {
    const { sessions, drafts, open, show } = setup();
    const written = show();
    drafts.write(written, 'Hello');
    const empty = show();
    open.clear();
    sessions.tidy();
    expect([...sessions.get().keys()]).toEqual([written]);
    expect(empty).not.toBe(written);
    expect(show()).toBe(written);
  });

  it('survives a reload with its options, except for a mode without permission requests', () => {
    const storage = memoryStorage();
    const before = setup(storage);
    const id = before.show();
    before.sessions.choose(id, { modelId: 'large' });
    before.sessions.choose(id, { modeId: 'bypassPermissions' }, true);
    expect(before.sessions.get().get(id)).toMatchObject({ confirm: true, info: { modeId: 'bypassPermissions' } });
    const { sessions } = setup(storage);
    expect(sessions.get().get(id)).toMatchObject({ ...place, options: { modelId: 'large' }, confirm: false });
    expect(sessions.get().get(id)?.options.modeId).toBeUndefined();
  });

  it('WT-2: survives a reload with its place, except for the trust in its settings', async () => {
    const storage = memoryStorage();
    const before = setup(storage);
    const [id, made] = [before.show(), before.show()];
    before.sessions.place(id, { kind: 'worktree', base: 'release', branch: 'fix', trustConfiguration: true });
    before.sessions.place(made, { kind: 'worktree' });
    const failure = { code: 'SESSION_CREATE_FAILED', message: 'Setup failed.', details: { worktreeId: 'w' } };
    before.create.mockResolvedValueOnce({ ok: false, failure });
    await before.sessions.begin(made, message);
    const { sessions, create } = setup(storage);
    await sessions.begin(id, message);
    await sessions.begin(made, message);
    expect(create.mock.calls.map(([body]) => body.place)).toEqual([
      { kind: 'worktree', base: 'release', branch: 'fix' },
      { kind: 'worktree', worktreeId: 'w' },
    ]);
  });

  it('reads a stored place as far as it is valid, and never turns a worktree into the project’s folder', () => {
    const storage = memoryStorage();
    const readPlace = (stored: unknown): unknown => {
      storage.write('liminal.new-sessions', JSON.stringify([{ id: 'new-session:1', ...place, place: stored }]));
      return setup(storage).sessions.get().get('new-session:1')?.place;
    };
    for (const foreign of [undefined, null, 7, 'worktree', [], {}, { kind: 'moon' }])
      expect(readPlace(foreign)).toBeUndefined();
    expect(readPlace({ kind: 'worktree', base: 7, branch: '', worktreeId: null, trustConfiguration: true })).toEqual({
      kind: 'worktree',
    });
  });

  it('WT-2: makes another worktree from the same base if its own was removed', async () => {
    const { sessions, create, show } = setup();
    const id = show();
    sessions.place(id, { kind: 'worktree', base: 'release', branch: 'fix' });
    const failure = { code: 'SESSION_CREATE_FAILED', message: 'Setup failed.', details: { worktreeId: 'w' } };
    create.mockResolvedValueOnce({ ok: false, failure });
    await sessions.begin(id, message);
    create.mockResolvedValueOnce({ ok: false, failure: { code: 'WORKTREE_NOT_FOUND', message: 'No such worktree.' } });
    await sessions.begin(id, message);
    await sessions.begin(id, message);
    expect(create.mock.lastCall?.[0].place).toEqual({ kind: 'worktree', base: 'release' });
  });
});

describe('a new session of another tab', () => {
  it('stays stored, and with its draft it is there again after a reload', () => {
    const storage = memoryStorage();
    const first = setup(storage);
    const id = first.show();
    const second = setup(storage, {}, 'second-');
    second.sessions.tidy();
    const other = second.show();
    expect(other).not.toBe(id);
    first.sessions.choose(id, { modelId: 'large' });
    first.drafts.write(id, 'Hello');
    second.open.clear();
    second.sessions.tidy();
    const { sessions, show } = setup(storage);
    expect([...sessions.get().keys()]).toEqual([id]);
    expect(show()).toBe(id);
    expect(sessions.get().get(id)).toMatchObject({ options: { modelId: 'large' } });
  });

  it('is removed once it was created on the server', async () => {
    const storage = memoryStorage();
    const first = setup(storage);
    const id = first.show();
    first.drafts.write(id, 'Hello');
    const second = setup(storage, {}, 'second-');
    expect(second.show()).toBe(id);
    await second.sessions.begin(id, message);
    expect(setup(storage).sessions.get().size).toBe(0);
  });

  it('is removed after a day without a draft', () => {
    const storage = memoryStorage();
    setup(storage).show();
    const { sessions, later } = setup(storage);
    later(25 * 60 * 60_000);
    sessions.tidy();
    expect(storage.read('liminal.new-sessions')).toBeNull();
  });
});

describe('the agent of a new session', () => {
  it('is prepared once, again when something else is chosen, and kept while the user writes', async () => {
    const { sessions, prepare, show, later } = setup();
    const id = show();
    sessions.keepPrepared(id);
    sessions.keepPrepared(id);
    expect(prepare.mock.calls).toEqual([[place]]);
    sessions.choose(id, { modelId: 'large' });
    expect(prepare).toHaveBeenLastCalledWith({ ...place, options: { modelId: 'large' } });
    later(60_000);
    sessions.keepPrepared(id);
    expect(prepare).toHaveBeenCalledTimes(3);
  });

  it('is prepared again after another session took the prepared one', async () => {
    const { sessions, prepare, show } = setup();
    await sessions.begin(show(), message);
    show();
    expect(prepare.mock.calls).toEqual([[place], [place]]);
  });

  it('isn’t prepared in a mode without permission requests', () => {
    const { sessions, prepare, show } = setup();
    sessions.choose(show(), { modeId: 'bypassPermissions' }, true);
    expect(prepare.mock.calls).toEqual([[place]]);
  });

  it('reports its options, and the user’s choices stay', async () => {
    const { sessions, show } = setup();
    const id = show();
    sessions.choose(id, { modelId: 'large' });
    await vi.waitFor(() => expect(sessions.get().get(id)?.info).toEqual({ models, modelId: 'large' }));
  });

  it('reports why it can’t start, until it can; an unreachable server is no such reason', async () => {
    const { sessions, prepare, show } = setup();
    const failure = { code: 'AGENT_AUTH_REQUIRED', message: 'Log in first.' };
    prepare.mockResolvedValueOnce({ ok: false, failure });
    const id = show();
    await vi.waitFor(() => expect(sessions.get().get(id)?.failure).toEqual(failure));
    sessions.keepPrepared(id);
    expect(prepare).toHaveBeenCalledTimes(1);
    prepare.mockResolvedValueOnce({ ok: false, failure: { code: 'UNREACHABLE', message: 'gone' } });
    sessions.retry(id);
    await vi.waitFor(() => expect(sessions.get().get(id)?.failure).toBeNull());
  });
});
