import type { IncomingMessage } from 'node:http';
import { createGuard } from '../access/guard.ts';
import { hostNames } from '../access/host-names.ts';
import { createOrigins } from '../access/origins.ts';
import { createVisitors, ownTokens, type Tokens } from '../access/visitors.ts';
import { createWrongTokens } from '../access/wrong-tokens.ts';
import { upgradeOf } from './upgrade-of.ts';

export type AccessDeps = {
  readonly token: () => string;
  readonly host: string;
  /** Known once the server listens. */
  readonly port: () => number;
  readonly publicUrl?: string | undefined;
  /** What the other machines accept and know, where there are any. */
  readonly cluster?:
    | {
        readonly acceptsToken: Tokens['opens'];
        readonly visitorKey: Tokens['keyOf'];
        readonly visitorKeys: Tokens['keys'];
      }
    | undefined;
};

/** Who may talk to this server: over HTTP, and before a socket opens. */
export function createAccess({ token, host, port, publicUrl, cluster }: AccessDeps) {
  const origins = createOrigins(() => hostNames(host).map((name) => `${name}:${port()}`), publicUrl);
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
