import type {
  PermissionRequest,
  Project,
  ProviderSummary,
  SessionHistory,
  SessionMessage,
  SessionSummary,
  UpsertObject,
} from '@liminal/contracts';
import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import type { Ready } from '@liminal/stand-ins/testing/start-program';
import type { Page, WebSocketRoute } from 'playwright-core';

type Unstamped<T> = T extends unknown ? Omit<T, 'sessionId' | 'epoch' | 'seq'> : never;
export type Said = Unstamped<SessionMessage>;
export type Posted = { readonly method: string; readonly path: string; readonly body: unknown };

export type ScriptedServer = {
  /** Sends a message about the session to the page, like the server. */
  say(message: Said): void;
  upsert(item: UpsertObject): void;
  ask(request: PermissionRequest): void;
  /** Closes every socket, and accepts no other. */
  disconnect(): void;
  /** The page's HTTP requests, in order. */
  readonly posted: Posted[];
  /**
   * Answers requests whose path ends with this, once the promise resolves; other requests get an empty object. A
   * function computes the answer from the request.
   */
  answer(pathEnd: string, reply: unknown, status?: number): void;
};

export const sessionId = 'scripted-session';
export const projectDir = '/home/you/project';

export const capabilities = {
  load: true,
  discover: false,
  images: true,
  steer: true,
  fork: false,
  models: true,
  modes: true,
  efforts: true,
  permissions: true,
  untrustedFolders: true,
};

const summary = sessionSummary({ sessionId, cliType: 'claude-code', projectId: 'p1', title: 'Scripted session' });

const directory: Record<string, unknown> = {
  '/api/providers': { providers: [{ cliType: 'claude-code', name: 'Claude Code', available: true, capabilities }] },
  '/api/projects': { projects: [{ projectId: 'p1', dir: projectDir, name: 'project', trusted: true }] },
};

/** The workbench around the session; by default one project, one agent and one open tab. */
export type Around = {
  readonly sessions?: readonly SessionSummary[];
  readonly projects?: readonly Project[];
  readonly providers?: readonly ProviderSummary[];
  /** The sessions that have a tab; the first is active. */
  readonly open?: readonly string[];
};

/**
 * The real page from the real server, with its real headers, but with scripted answers: for states that no agent
 * reaches on demand. Opens the page with one session.
 */
export async function scriptServer(
  page: Page,
  ready: Ready,
  history: Partial<SessionHistory> = {},
  { sessions = [summary], projects, providers, open = [sessionId] }: Around = {},
): Promise<ScriptedServer> {
  const posted: Posted[] = [];
  const replies = new Map<string, { reply: unknown; status: number }>();
  const sockets = new Set<WebSocketRoute>();
  const subscribed = Promise.withResolvers<void>();
  let seq = 1;
  let isAway = false;
  const status = { state: 'open', activity: 'idle', isAlive: true };
  const whole = { entries: [], turns: [], hasMore: false, permissions: [], queue: [], status, info: {}, ...history };
  const stamp = () => ({ sessionId, epoch: 'e1', seq: seq++ });

  await page.routeWebSocket(/\/ws$/, (socket) => {
    if (isAway) return void socket.close();
    sockets.add(socket);
    socket.onMessage((data) => {
      const message = JSON.parse(String(data)) as { type: string; sessionId?: string };
      if (message.type === 'ping') socket.send(JSON.stringify({ type: 'pong' }));
      if (message.type === 'directory:subscribe') {
        if (open.length === 0) subscribed.resolve();
        socket.send(JSON.stringify({ type: 'directory:changed', sessions }));
      }
      if (message.type !== 'session:subscribe') return;
      socket.send(JSON.stringify({ type: 'session:history', ...stamp(), ...whole, sessionId: message.sessionId }));
      subscribed.resolve();
    });
  });
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    const { pathname: path, searchParams } = new URL(request.url());
    const known = [...replies].find(([end]) => path.endsWith(end))?.[1];
    if (request.method() !== 'GET') posted.push({ method: request.method(), path, body: request.postDataJSON() });
    const health = path === '/api/health' ? { ok: true, version: ready.version } : undefined;
    const around =
      path === '/api/projects' && projects ? { projects } : path === '/api/providers' && providers && { providers };
    const reply =
      (await (typeof known?.reply === 'function' ? known.reply(searchParams) : known?.reply)) ??
      health ??
      (around || directory[path]) ??
      (path.endsWith('/send') ? { turnId: 'sent' } : {});
    const body = typeof reply === 'string' ? reply : JSON.stringify(reply);
    await route.fulfill({ status: known?.status ?? 200, contentType: 'application/json', body });
  });
  await page.addInitScript(
    (ids) => localStorage.setItem('liminal.tabs', JSON.stringify({ open: ids, active: ids[0] ?? null })),
    [...open],
  );
  await page.goto(ready.url);
  // Earlier, the page would miss messages about the session.
  await subscribed.promise;

  const say = (message: Said): void => {
    for (const socket of sockets) socket.send(JSON.stringify({ ...message, ...stamp() }));
  };
  return {
    disconnect() {
      isAway = true;
      for (const socket of sockets) void socket.close();
    },
    say,
    posted,
    upsert: (payload) => say({ type: 'session:upsert', payload }),
    ask: (request) => say({ type: 'session:permission', payload: { state: 'open', request } }),
    answer: (pathEnd, reply, code = 200) => replies.set(pathEnd, { reply, status: code }),
  };
}
