import { act } from 'react';
import type { Project, ProviderSummary, SessionHistory, SessionMessage, SessionSummary } from '@liminal/contracts';
import { historyMessage } from '@liminal/domain/timeline/testing/messages';

import { safeStorage } from '../browser/storage.ts';
import type { SocketDeps } from '@liminal/client/socket';
import type { SessionStore } from '../state/sessions/session-store.ts';
import { createWorkbench, type Workbench } from '../state/workbench/workbench.ts';
import { createFakeApi, type FakeApi } from './fake-api.ts';

export const projectDir = '/work/repo';

/** The page's own stores, with a server that only records its calls. */
export type TestPage = Pick<FakeApi, 'callsOf' | 'answer'> & {
  readonly workbench: Workbench;
  /** The open session, `s`. */
  readonly store: SessionStore;
  /** Receives a message from the server, with the next number. */
  readonly hear: (message: (seq: number) => SessionMessage) => Promise<void>;
  /** Sets the server's list of sessions. */
  readonly list: (sessions: readonly SessionSummary[], projects?: readonly Project[]) => Promise<void>;
  /** Loses the connection. */
  readonly disconnect: () => Promise<void>;
};

export const project = (part: Partial<Project> = {}): Project => ({
  projectId: 'p',
  dir: projectDir,
  name: 'repo',
  trusted: true,
  ...part,
});

const provider = { cliType: 'demo', name: 'Demo', available: true } as ProviderSummary;

/** A page with one open session and this history. Browser storage survives it, as after a reload. */
export function createTestPage(history: Partial<SessionHistory> = {}): TestPage {
  const { api, callsOf, answer } = createFakeApi();
  let socketDeps: Pick<SocketDeps, 'cursorOf' | 'onMessage' | 'onState'> | undefined;
  let ids = 0;
  let seq = 1;
  const nothing = (): void => {};
  const workbench = createWorkbench({
    createApi: () => api,
    createSocket: (deps) => {
      socketDeps = deps;
      return {
        start: nothing,
        stop: nothing,
        subscribe: nothing,
        unsubscribe: nothing,
        askForItem: nothing,
        watchChanges: nothing,
        followWorktrees: nothing,
        sayToTerminal: nothing,
        nudge: nothing,
      };
    },
    createStorage: () => safeStorage(() => localStorage),
    createTabStorage: () => safeStorage(() => sessionStorage),
    notices: { permission: () => 'unsupported', ask: async () => 'unsupported', show: () => nothing },
    pageVersion: '1',
    after: () => nothing,
    isPageWatched: () => true,
    schedule: (task) => task(),
    now: () => Date.now(),
    newId: () => `c${(ids += 1)}`,
    isPageVisible: () => true,
    applyTheme: nothing,
    applyDensity: nothing,
  });
  workbench.tabs.show('s');
  socketDeps?.onMessage(historyMessage(seq, history));
  const store = workbench.session('s');
  if (store === undefined) throw new Error('The session was not opened');
  return {
    workbench,
    store,
    callsOf,
    answer,
    hear: (message) => act(async () => socketDeps?.onMessage(message((seq += 1)))),
    list: (sessions, projects = [project()]) =>
      act(async () => {
        workbench.directory.update((held) => ({ ...held, projects, providers: [provider], loaded: true }));
        socketDeps?.onMessage({ type: 'directory:changed', sessions: [...sessions] });
      }),
    disconnect: () => act(async () => socketDeps?.onState({ phase: 'lost', attempt: 1, retryAt: 0 })),
  };
}
