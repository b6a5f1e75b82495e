import type { SocketLike } from '@liminal/client/socket';
import { socketProtocols } from '@liminal/contracts';
import { fromPage } from './from-page.ts';

/** The socket of this page's own origin: no other address is ever spoken to. */
export function openBrowserSocket(secret: string | null): SocketLike {
  const address = new URL(fromPage('/ws'), location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address, socketProtocols(secret));
  socket.binaryType = 'arraybuffer';
  return socket as unknown as SocketLike;
}
