import { describe, expect, it, vi } from 'vitest';
import { appendMessage, historyMessage, turnMessage, turnStarted } from '@liminal/domain/timeline/testing/messages';
import type { ProviderSummary, SessionMessage, SessionSummary } from '@liminal/contracts';
import { attentionOf } from '@liminal/domain/session/attention';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import type { Api } from '../../connection/api.ts';
import type { SocketDeps } from '@liminal/client/socket';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { terminalTab } from '../layout/tab-id.ts';
import { createWorkbench, type Workbench } from './workbench.ts';

const at = '2026-01-01T00:00:00.000Z';
function setup() {
  let socketDeps: Pick<SocketDeps, 'cursorOf' | 'onMessage' | 'onState'> | undefined;
  const socket = {
    start: vi.fn(),
    stop: vi.fn(),
    subscribe: vi.fn(),
    unsubscribe: vi.fn(),
    askForItem: vi.fn(),
    followWorktrees: () => {},
    watchChanges: vi.fn(),
    sayToTerminal: vi.fn(),
    nudge: vi.fn(),
  };
  let ids = 0;
  const timers: Array<() => void> = [];
  const api = {
    projects: vi.fn(async () => ({ ok: true, value: { projects: [] } })),
    providers: vi.fn(async () => ({ ok: true, value: { providers: [] } })),
    health: vi.fn(async () => ({ ok: true, value: { ok: true, version: '1' } })),
    create: vi.fn(async () => ({ ok: true, value: { sessionId: 'new', cliType: 'demo', projectId: 'p' } })),
    workspace: vi.fn(async () => ({ ok: true, value: { tabs: ['kept'], activeTab: null } })),
    saveWorkspace: vi.fn(async () => ({ ok: true, value: {} })),
    prepare: vi.fn(async () => ({ ok: true, value: { info: {} } })),
    patch: vi.fn(async (_sessionId: string, _body: object) => ({ ok: true, value: {} })),
    send: vi.fn(async (_sessionId: string, _body: { content: string }) => ({ ok: true, value: { turnId: 't1' } })),
  };
  const workbench = createWorkbench({
    createApi: () =>
      ({
        session: api,
        workbench: api,
        project: { list: api.projects },
        compare: { read: async () => ({ ok: false, failure: { code: 'UNREACHABLE', message: 'gone' } }) },
      }) as unknown as Api,
    createSocket: (deps) => {
      socketDeps = deps;
      return socket;
    },
    createStorage: memoryStorage,
    createTabStorage: memoryStorage,
    notices: { permission: () => 'unsupported', ask: async () => 'unsupported', show: () => () => {} },
    pageVersion: '1',
    after(_milliseconds, task) {
      timers.push(task);
      return () => timers.splice(timers.indexOf(task), 1);
    },
    isPageWatched: () => true,
    schedule: (task) => task(),
    now: () => 0,
    newId: () => `c${(ids += 1)}`,
    isPageVisible: () => true,
    applyTheme: () => {},
    applyDensity: () => {},
  });
  return {
    workbench,
    socket,
    api,
    timers,
    hear: (message: SessionMessage) => socketDeps!.onMessage(message),
    socketDeps: socketDeps!,
  };
}

describe('workbench', () => {
  it('subscribes to a visible session and unsubscribes when its tab closes', () => {
    const { workbench, socket } = setup();
    workbench.tabs.show('s');
    expect(socket.subscribe).toHaveBeenCalledWith('s');
    expect(workbench.session('s')).toBeDefined();
    workbench.tabs.close('s');
    expect(socket.unsubscribe).toHaveBeenCalledWith('s');
    expect(workbench.session('s')).toBeUndefined();
  });

  it('sends the cursor of what it holds, and requests items with a gap', () => {
    const { workbench, socket, hear, socketDeps } = setup();
    workbench.tabs.show('s');
    expect(socketDeps.cursorOf('s')).toBeUndefined();
    hear(historyMessage(3));
    expect(socketDeps.cursorOf('s')).toEqual({ epoch: 'e1', seq: 3 });
    hear(appendMessage(4, { itemId: 'i', offset: 7, text: 'x' }));
    expect(socket.askForItem).toHaveBeenCalledWith('s', 'i');
  });

  it('forgets a sent message when its turn appears', async () => {
    const { workbench, hear } = setup();
    workbench.tabs.show('s');
    hear(historyMessage(1));
    workbench.outgoing.send('s', 'Hello');
    await vi.waitFor(() => expect(workbench.outgoing.get()[0]?.state).toBe('accepted'));
    hear(turnMessage(2, turnStarted('t1')));
    expect(workbench.outgoing.get()).toEqual([]);
  });

  it('sends a message again if its request fails after the socket has reconnected', async () => {
    const { workbench, api, socketDeps, timers } = setup();
    const failed = Promise.withResolvers<never>();
    api.send.mockReturnValueOnce(failed.promise);
    workbench.outgoing.send('s', 'Hello');
    socketDeps.onState({ phase: 'open' });
    failed.resolve({ ok: false, failure: { code: 'UNREACHABLE', message: 'gone' } } as never);
    await vi.waitFor(() => expect(workbench.outgoing.get()[0]?.state).toBe('offline'));
    for (const task of timers.splice(0)) task();
    await vi.waitFor(() => expect(workbench.outgoing.get()[0]?.state).toBe('accepted'));
    expect(api.send).toHaveBeenCalledTimes(2);
  });

  /** Like the form once it has a project and an agent. */
  const startEmpty = (workbench: Workbench): void => {
    const agent = { cliType: 'demo', name: 'Demo', available: true } as ProviderSummary;
    const project = { projectId: 'p', dir: '/p', name: 'p', trusted: true };
    workbench.directory.update((held) => ({ ...held, projects: [project], providers: [agent], loaded: true }));
    workbench.startForm.open();
    workbench.startForm.start('', {});
  };

  it('creates a new session with its first message, which keeps its tab under the new id', async () => {
    const { workbench, api, socket } = setup();
    workbench.tabs.show('s');
    startEmpty(workbench);
    const id = workbench.tabs.get().active ?? '';
    expect(workbench.panels.composerFocus.get()).toBe(id);
    expect(workbench.session(id)?.load().phase).toBe('ready');
    expect([api.create.mock.calls.length, socket.subscribe.mock.calls]).toEqual([0, [['s']]]);
    workbench.outgoing.send(id, 'one');
    workbench.outgoing.send(id, 'two');
    await vi.waitFor(() => expect(api.send).toHaveBeenCalledTimes(2));
    expect(api.create).toHaveBeenCalledTimes(1);
    expect(api.send.mock.calls.map(([to, { content }]) => [to, content])).toEqual([
      ['new', 'one'],
      ['new', 'two'],
    ]);
    expect(workbench.tabs.all()).toEqual(['s', 'new']);
    expect(workbench.tabs.get().active).toBe('new');
    expect(socket.subscribe).toHaveBeenLastCalledWith('new');
    expect(socket.unsubscribe).not.toHaveBeenCalled();
  });

  it('keeps the first message of a session that can’t be created, so the user can take it back', async () => {
    const { workbench, api } = setup();
    const failure = { code: 'AGENT_NOT_INSTALLED', message: 'Install it.' };
    api.create.mockResolvedValueOnce({ ok: false, failure } as never);
    startEmpty(workbench);
    workbench.outgoing.send(workbench.tabs.get().active ?? '', 'Hello');
    await vi.waitFor(() => expect(workbench.outgoing.get()).toMatchObject([{ state: 'refused', failure }]));
    expect(api.send).not.toHaveBeenCalled();
  });

  /** Both screens that are shown instead of the tabs. */
  const coverTabs = ({ panels, comparing }: Workbench): void => {
    panels.inbox.set(true);
    comparing.shown.set({ compareId: 'c', comparison: null, failure: null });
  };
  const coversTabs = ({ panels, comparing }: Workbench) => [panels.inbox.get(), comparing.shown.get() !== null];

  it('IN-2: keeps the inbox and a comparison open when a new session begins behind them', async () => {
    const { workbench, api } = setup();
    const created = Promise.withResolvers<never>();
    api.create.mockReturnValueOnce(created.promise);
    startEmpty(workbench);
    workbench.outgoing.send(workbench.tabs.get().active ?? '', 'Hello');
    coverTabs(workbench);
    created.resolve({ ok: true, value: { sessionId: 'new', cliType: 'demo', projectId: 'p' } } as never);
    await vi.waitFor(() => expect(workbench.tabs.get().active).toBe('new'));
    expect(coversTabs(workbench)).toEqual([true, true]);
  });

  it('IN-2: keeps the inbox and a comparison open when tabs arrive from the server, or their content is gone', async () => {
    const { workbench, api, socketDeps } = setup();
    api.workspace.mockResolvedValue({ ok: true, value: { tabs: ['a', terminalTab('t')], activeTab: null } });
    coverTabs(workbench);
    socketDeps.onState({ phase: 'open' });
    await vi.waitFor(() => expect(workbench.tabs.all()).toHaveLength(2));
    expect(coversTabs(workbench)).toEqual([true, true]);
    socketDeps.onMessage({ type: 'directory:changed', sessions: [], removed: ['a'] });
    socketDeps.onMessage({ type: 'terminals:changed', terminals: [] });
    expect(workbench.tabs.all()).toEqual([]);
    expect(coversTabs(workbench)).toEqual([true, true]);
  });

  it('closes the inbox and a comparison when the user chooses a tab, a project or the first screen', () => {
    const { workbench } = setup();
    const { tabs } = workbench;
    tabs.show('a');
    tabs.show('b');
    const choices = [
      () => tabs.show('b'),
      () => tabs.showBeside('a'),
      () => tabs.step(1),
      () => tabs.showAt(0),
      () => tabs.closeOthers('a'),
      () => tabs.leave(),
      () => workbench.goToProject('p'),
    ];
    for (const choose of choices) {
      tabs.show('b');
      coverTabs(workbench);
      choose();
      expect([String(choose), ...coversTabs(workbench)]).toEqual([String(choose), false, false]);
    }
  });

  it('reports what the user has seen: at once if visible, otherwise when it is shown', () => {
    const { workbench, api, socketDeps } = setup();
    const list = (part: Partial<SessionSummary>): void =>
      socketDeps.onMessage({ type: 'directory:changed', sessions: [summary(part)] });
    const kind = (): string => attentionOf(workbench.directory.get().sessions.get('s') ?? summary()).kind;
    list({ ended: { id: 't1', at } });
    expect(kind()).toBe('done');
    workbench.tabs.show('s');
    expect(kind()).toBe('idle');
    list({ ended: { id: 't2', at }, marks: { seen: 't1' } });
    expect(kind()).toBe('idle');
    list({ ended: { id: 't2', at }, marks: { seen: 't2' } });
    expect(api.patch.mock.calls).toEqual([
      ['s', { seen: 't1' }],
      ['s', { seen: 't2' }],
    ]);
  });

  it('keeps a session unread that the user marked so, until it is shown again', () => {
    const { workbench, api, socketDeps } = setup();
    workbench.tabs.show('s');
    socketDeps.onMessage({
      type: 'directory:changed',
      sessions: [summary({ ended: { id: 't1', at }, marks: { seen: 't1', unread: true } })],
    });
    expect(api.patch).not.toHaveBeenCalled();
    workbench.tabs.show('other');
    expect(api.patch).not.toHaveBeenCalled();
    workbench.tabs.show('s');
    expect(api.patch.mock.calls).toEqual([['s', { seen: 't1' }]]);
  });

  it('notices a server of another version', async () => {
    const { workbench, api, socketDeps } = setup();
    socketDeps.onState({ phase: 'open' });
    await vi.waitFor(() => expect(api.health).toHaveBeenCalledTimes(1));
    api.health.mockResolvedValue({ ok: true, value: { ok: true, version: '2' } });
    socketDeps.onState({ phase: 'open' });
    await vi.waitFor(() => expect(workbench.connection.get().otherVersion).toBe('2'));
  });

  it('restores the tabs from the server, and closes one whose session is gone without saving that', async () => {
    const { workbench, api, socketDeps } = setup();
    socketDeps.onState({ phase: 'open' });
    await vi.waitFor(() => expect(workbench.tabs.get().open).toEqual(['kept']));
    socketDeps.onMessage({ type: 'directory:changed', sessions: [], removed: ['kept'] });
    expect(workbench.tabs.get().open).toEqual([]);
    workbench.workspace.flush();
    expect(api.saveWorkspace).not.toHaveBeenCalled();
  });

  it('forgets sessions that were deleted while it was disconnected, once it has the whole list', async () => {
    const { workbench, api, socketDeps } = setup();
    api.workspace.mockResolvedValue({ ok: true, value: { tabs: ['a', 'b', 'c'], activeTab: null } });
    const changed = (ids: readonly string[], part: object = {}) =>
      socketDeps.onMessage({
        type: 'directory:changed',
        sessions: ids.map((sessionId) => summary({ sessionId })),
        ...part,
      });
    const listed = () => [...workbench.directory.get().sessions.keys()];
    socketDeps.onState({ phase: 'open' });
    await vi.waitFor(() => expect(workbench.tabs.all()).toEqual(['a', 'b', 'c']));
    changed(['a', 'b', 'c'], { complete: true });
    socketDeps.onState({ phase: 'open' });
    changed(['a']);
    expect(listed()).toEqual(['a', 'b', 'c']);
    changed(['c'], { complete: true });
    expect(listed()).toEqual(['a', 'c']);
    expect(workbench.tabs.all()).toEqual(['a', 'c']);
  });

  it('reports that a session can’t be shown', () => {
    const { workbench, socketDeps } = setup();
    workbench.tabs.show('s');
    socketDeps.onMessage({
      type: 'error',
      code: 'SESSION_NOT_FOUND',
      message: 'There is no such session.',
      sessionId: 's',
    });
    expect(workbench.session('s')?.load()).toEqual({ phase: 'failed', message: 'There is no such session.' });
  });
});
