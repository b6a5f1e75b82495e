import type { ServerFetch } from '@liminal/client/call-routes';
import { pageSecretHeader, pageSecretKey, SignInReply, socketProtocols } from '@liminal/contracts';
import type { Storage } from '../browser/storage.ts';
import type { SocketLike } from '@liminal/client/socket';

/** What proves to the server that a request is this page's. Other ports of the host share our cookies, but not this. */
export type PageSecret = {
  /** Read again each time: another tab may have signed in since. */
  readonly read: () => string | null;
  readonly keep: (secret: string) => void;
};

/** The part of the tab's history that is used: what is kept there outlives a reload, and no other origin can read it. */
type TabHistory = { readonly state: unknown; replaceState(state: unknown, unused: string): void };

/** Kept for every tab; where the browser refuses storage, at least for this one. */
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

/** `fetch` for paths of our own server, with the page's secret. */
export function createPageFetch(secret: PageSecret, fetch: typeof globalThis.fetch, page?: string): ServerFetch {
  return (path, init = {}) => {
    const held = secret.read();
    const headers = { ...init.headers, ...(held !== null && { [pageSecretHeader]: held }) };
    return fetch(fromPage(path, page), { credentials: 'same-origin', ...init, headers });
  };
}

export type SignedIn =
  | { readonly ok: true; readonly secret: string }
  | { readonly ok: false; readonly reason: 'refused' | 'slowed' | 'unreachable' };

/** Gives the token for the page's own secret. */
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

/** The token in what a user pasted: the token itself, or the whole address that carries it. */
export const tokenIn = (text: string): string => {
  const given = text.trim();
  return URL.parse(given)?.searchParams.get('token') ?? given;
};

/** The address of something on our own server, also where the page is below a path of a reverse proxy. */
export const fromPage = (path: string, page = location.pathname): string =>
  page.slice(0, page.lastIndexOf('/') + 1) + path.slice(1);

/** The socket of this page's own origin: no other address is ever spoken to. */
export function openBrowserSocket(secret: string | null): SocketLike {
  const address = new URL(fromPage('/ws'), location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address, socketProtocols(secret));
  socket.binaryType = 'arraybuffer';
  return socket as unknown as SocketLike;
}
