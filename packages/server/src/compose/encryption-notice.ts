import { isLoopback } from './config.ts';

const unencrypted = [
  "This connection isn't encrypted: anyone on the network can read it, the token included, and use your agents.",
  'Put TLS in front: leave --host out, run a reverse proxy with a certificate on this machine, and set',
  'LIMINAL_PUBLIC_URL to its https address. docs/cluster.md shows how, under "Behind a reverse proxy".',
].join('\n');

/** What a person must know who lets other machines reach this one; null where nobody else can. */
export const encryptionNotice = (host: string): string | null => (isLoopback(host) ? null : unencrypted);
