import { z } from 'zod';

/** The header with the page's secret. A page of another origin can't send it without a CORS preflight. */
export const pageSecretHeader = 'liminal-page-secret';

/** The subprotocol of the page's socket. The server never answers with the one that carries the secret. */
export const socketProtocol = 'liminal';
const secretPrefix = 'liminal.secret.';

/** Browsers can't set headers on a WebSocket, so the secret is offered as a second subprotocol. */
export const socketProtocols = (secret: string | null): string[] =>
  secret === null ? [socketProtocol] : [socketProtocol, `${secretPrefix}${secret}`];

/** The secret from the subprotocols a socket offers. */
export function secretInProtocols(header: string): string | undefined {
  const offered = header.split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(secretPrefix))?.slice(secretPrefix.length);
}

/** The offered subprotocol that the server answers with; false for none. */
export function chosenProtocol(offered: Iterable<string>): string | false {
  const names = [...offered].filter((name) => !name.startsWith(secretPrefix));
  return names.includes(socketProtocol) ? socketProtocol : (names[0] ?? false);
}

/** Issued once in exchange for the token: the page keeps it and sends it with every request. */
export const SignInReply = z.object({ secret: z.string().min(1) });

/** The storage key of the page's secret. Servers on different paths of one origin have separate keys. */
export const pageSecretKey = (basePath: string): string => `liminal.page-secret:${basePath}`;
