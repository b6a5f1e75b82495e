import type { ServerFetch } from '@liminal/client/call-routes';
import { pageSecretHeader, pageSecretKey, SignInReply, socketProtocols } from '@liminal/contracts';
import type { Storage } from '../browser/storage.ts';
import type { SocketLike } from '@liminal/client/socket';

/**
 * Proves to the server that a request comes from this page. Other ports of the host share our cookies, but not this.
 */
export type PageSecret = {
  /** Read each time: another tab may have signed in since. */
  readonly read: () => string | null;
  readonly keep: (secret: string) => void;
};

/** The part of `history` we use: its state survives a reload, and no other origin can read it. */
type TabHistory = { readonly state: unknown; replaceState(state: unknown, unused: string): void };

/** Stored for all tabs; if the browser refuses storage, at least for this one. */
export function createPageSecret(storage: Storage, tab: TabHistory, page = location.pathname): PageSecret {
  const key = pageSecretKey(fromPage('/', page));
  const inTab = (): Record<string, unknown> => ({ ...(tab.state as Record<string, unknown> | null) });
  return {
    read() {
      const ofTab = inTab()[key];
      return storage.read(key) ?? (typeof ofTab === 'string' ? ofTab : null);
    },
    keep(secret) {
      storage.write(key, secret);
      tab.replaceState({ ...inTab(), [key]: secret }, '');
    },
  };
}

/**
 * `fetch` for paths of our own server, with the page's secret. A request that was on its way while the secret was renewed
 * is refused; it is sent again with the new one.
 */
export function createPageFetch(secret: PageSecret, fetch: typeof globalThis.fetch, page?: string): ServerFetch {
  return async (path, init = {}) => {
    const send = (held: string | null): Promise<Response> => {
      const headers = { ...init.headers, ...(held !== null && { [pageSecretHeader]: held }) };
      return fetch(fromPage(path, page), { credentials: 'same-origin', ...init, headers });
    };
    const held = secret.read();
    const reply = await send(held);
    const newest = secret.read();
    return reply.status === 401 && newest !== held ? send(newest) : reply;
  };
}

export type SignedIn =
  | { readonly ok: true; readonly secret: string }
  | { readonly ok: false; readonly reason: 'refused' | 'slowed' | 'unreachable' };

/** Exchanges the token for the page's own secret. */
export async function signIn(fetch: ServerFetch, token: string): Promise<SignedIn> {
  try {
    const reply = await fetch('/api/sign-in', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    if (reply.status === 429) return { ok: false, reason: 'slowed' };
    const secret = reply.ok ? SignInReply.safeParse(await reply.json()).data?.secret : undefined;
    return secret === undefined ? { ok: false, reason: 'refused' } : { ok: true, secret };
  } catch {
    return { ok: false, reason: 'unreachable' };
  }
}

/** The token from what the user pasted: the token itself, or the whole address with it. */
export const tokenIn = (text: string): string => {
  const given = text.trim();
  return URL.parse(given)?.searchParams.get('token') ?? given;
};

/** The URL of a path on our own server, even if a reverse proxy serves the page below a path. */
export const fromPage = (path: string, page = location.pathname): string =>
  page.slice(0, page.lastIndexOf('/') + 1) + path.slice(1);

/** The WebSocket URL of this page's own origin: the page never connects to another. */
export function openBrowserSocket(secret: string | null): SocketLike {
  const address = new URL(fromPage('/ws'), location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address, socketProtocols(secret));
  socket.binaryType = 'arraybuffer';
  return socket as unknown as SocketLike;
}
