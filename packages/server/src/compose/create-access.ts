import type { IncomingMessage } from 'node:http';
import { createGuard, headersOf, type CheckedRequest, pathOf } from '../access/guard.ts';
import { hostNames, createOrigins } from '../access/origins.ts';
import { createVisitors, ownTokens, type Tokens } from '../access/visitors.ts';
import { createWrongTokens } from '../access/wrong-tokens.ts';

export type AccessDeps = {
  readonly token: () => string;
  readonly host: string;
  /** Known only after the server listens. */
  readonly port: () => number;
  readonly publicUrl?: string | undefined;
  /** The tokens and visitors that the other machines know, in a cluster. */
  readonly cluster?:
    | {
        readonly acceptsToken: Tokens['opens'];
        readonly visitorKey: Tokens['keyOf'];
        readonly visitorKeys: Tokens['keys'];
      }
    | undefined;
};

/** Controls access to this server, over HTTP and before a socket opens. */
export function createAccess({ token, host, port, publicUrl, cluster }: AccessDeps) {
  const hosts = () => hostNames(host).flatMap((name) => hostsAt(name, port()));
  const origins = createOrigins(hosts, publicUrl);
  const cookieName = (): string => `liminal_${port()}`;
  const own = ownTokens(token);
  const tokens: Tokens = cluster
    ? {
        opens: (given) => own.opens(given) || cluster.acceptsToken(given),
        keyOf: cluster.visitorKey,
        keys: cluster.visitorKeys,
      }
    : own;
  const visitors = createVisitors(tokens);
  const guard = createGuard({ tokens, visitors, origins, cookieName, wrongTokens: createWrongTokens() });
  return {
    origins,
    visitors,
    guard,
    cookieName,
    admitUpgrade: (request: IncomingMessage) => guard.admit(upgradeOf(request)),
    recheckUpgrade: (request: IncomingMessage) => guard.recheck(upgradeOf(request)),
  };
}

/** A host name as clients write it with a port. They leave out port 80, the default of http. */
const hostsAt = (name: string, port: number): string[] => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]);

/** The parts of an upgrade request that the guard checks. */
function upgradeOf(request: IncomingMessage): CheckedRequest {
  return {
    method: request.method ?? 'GET',
    path: pathOf(request.url ?? ''),
    headers: headersOf(request),
    isUpgrade: true,
    address: request.socket.remoteAddress,
  };
}
