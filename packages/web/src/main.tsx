import './configure-zod.ts';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readMessage } from '@liminal/client/read-message';
import { createSocket } from '@liminal/client/socket';
import { backoff } from '@liminal/domain/connection/backoff';
import { App } from './app.tsx';
import { createApi } from './connection/api.ts';
import { browserNotices } from './browser/browser-notices.ts';
import { createPageFetch, createPageSecret, signIn, openBrowserSocket } from './connection/page-secret.ts';
import { pageLook } from './page-look.ts';
import { followStatuses } from './page-status.ts';
import { focusTargets } from './focus-targets.ts';
import { onShortcut } from './shortcuts.ts';
import { nextFrame } from './state/base/emitter.ts';
import { safeStorage } from './browser/storage.ts';
import { WorkbenchContext } from './state/workbench/use-workbench.ts';
import { createWorkbench } from './state/workbench/workbench.ts';

const pageSecret = createPageSecret(
  safeStorage(() => localStorage),
  history,
);
const pageFetch = createPageFetch(pageSecret, (path, init) => fetch(path, init));

// The token appears once and is exchanged for the page's own secret, so it doesn't stay in the address bar, the history
// or a screenshot. A reload before that, which cuts the request off, needs it again.
const token = new URLSearchParams(location.search).get('token');
if (token !== null) {
  const signedIn = await signIn(pageFetch, token);
  if (signedIn.ok || signedIn.reason !== 'unreachable') history.replaceState(null, '', location.pathname);
  if (signedIn.ok) pageSecret.keep(signedIn.secret);
}

const after = (milliseconds: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, milliseconds);
  return () => clearTimeout(timer);
};

const workbench = createWorkbench({
  createApi: (onUnauthorized) => createApi(pageFetch, onUnauthorized, pageSecret.keep),
  createSocket: (deps) =>
    createSocket({
      ...deps,
      open: () => openBrowserSocket(pageSecret.read()),
      read: readMessage,
      now: Date.now,
      delay: (attempt) => backoff(attempt - 1, Math.random()),
      after,
    }),
  createStorage: (onRefused) => safeStorage(() => localStorage, onRefused),
  createTabStorage: () => safeStorage(() => sessionStorage),
  notices: browserNotices(),
  pageVersion: __PAGE_VERSION__,
  after,
  schedule: nextFrame,
  now: Date.now,
  // `randomUUID` exists only in a secure context, and a host name on the local network isn't one.
  newId: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  isPageVisible: () => document.visibilityState === 'visible',
  isPageWatched: () => document.visibilityState === 'visible' && document.hasFocus(),
  ...pageLook(document.documentElement, matchMedia('(prefers-contrast: more)')),
});

workbench.socket.start();
followStatuses(workbench, document);
addEventListener('online', workbench.socket.nudge);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') workbench.cameIntoView();
  else {
    workbench.wentOutOfView();
    workbench.workspace.flush();
  }
});
const focus = focusTargets(document);
addEventListener('keydown', (event) => {
  if (onShortcut(workbench, focus, event, document)) event.preventDefault();
});

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no root element');
createRoot(root).render(
  <StrictMode>
    <WorkbenchContext value={workbench}>
      <App focus={focus} />
    </WorkbenchContext>
  </StrictMode>,
);
