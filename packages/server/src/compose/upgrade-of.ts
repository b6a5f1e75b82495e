import type { IncomingMessage } from 'node:http';
import { headersOf, type Knock } from '../access/guard.ts';
import { pathOf } from '../access/path-of.ts';

/** A request for a socket, as the guard looks at it. */
export function upgradeOf(request: IncomingMessage): Knock {
  return {
    method: request.method ?? 'GET',
    path: pathOf(request.url ?? ''),
    headers: headersOf(request),
    isUpgrade: true,
    address: request.socket.remoteAddress,
  };
}
