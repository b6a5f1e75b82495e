import type { SocketLike } from './socket.ts';

type Listening = SocketLike & { onerror: (() => void) | null };
type SocketConstructor = new (
  address: string,
  options: { readonly headers: Readonly<Record<string, string>> },
) => Listening;

/** Opens sockets with headers: Node's own since version 22, otherwise that of `ws`. */
export async function nodeSockets(
  own: unknown = (globalThis as { WebSocket?: unknown }).WebSocket,
): Promise<(address: URL, headers: Readonly<Record<string, string>>) => SocketLike> {
  const Socket = (own ?? (await import('ws')).WebSocket) as SocketConstructor;
  return (address, headers) => {
    const socket = new Socket(address.href, { headers });
    // A close follows each error. Without a listener, `ws` would throw it.
    socket.onerror = () => {};
    return socket;
  };
}
