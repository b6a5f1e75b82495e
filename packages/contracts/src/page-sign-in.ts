import { z } from 'zod';

/** The header that carries the page's secret. A page of another origin cannot send it without being asked first. */
export const pageSecretHeader = 'liminal-page-secret';

/** The subprotocol a page's socket speaks; the server never answers with the one that carries the secret. */
export const socketProtocol = 'liminal';
const secretPrefix = 'liminal.secret.';

/** A browser's socket has no headers of its own: the secret is offered as one more subprotocol. */
export const socketProtocols = (secret: string | null): string[] =>
  secret === null ? [socketProtocol] : [socketProtocol, `${secretPrefix}${secret}`];

/** The secret among the subprotocols a socket offers. */
export function secretInProtocols(header: string): string | undefined {
  const offered = header.split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(secretPrefix))?.slice(secretPrefix.length);
}

/** Which of the offered subprotocols the server answers with; false for none. */
export function chosenProtocol(offered: Iterable<string>): string | false {
  const names = [...offered].filter((name) => !name.startsWith(secretPrefix));
  return names.includes(socketProtocol) ? socketProtocol : (names[0] ?? false);
}

/** Given once for the token: the page keeps it and sends it with every request. */
export const SignInReply = z.object({ secret: z.string().min(1) });

/** Where the page keeps its secret in the browser: per origin, and apart for servers below different paths of one. */
export const pageSecretKey = (basePath: string): string => `liminal.page-secret:${basePath}`;
