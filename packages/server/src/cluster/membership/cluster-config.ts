import { hostname } from 'node:os';
import { existsSync } from 'node:fs';

export type ClusterConfig = {
  readonly redisUrl: string;
  /** A file with the CA certificate for the Redis server. */
  readonly redisCaFile: string | null;
  /** A secret that only the nodes of the cluster share. Commands are signed with it. */
  readonly secret: string;
  readonly name: string;
  /** Whether one node's access token is accepted by every node. */
  readonly sharesTokens: boolean;
  readonly leaseMs: number;
  /** How long another node has to take a command. */
  readonly takeMs: number;
  /** How long it then has to answer. */
  readonly answerMs: number;
};

type Read = { readonly ok: true; readonly cluster: ClusterConfig | null } | { readonly ok: false; sentence: string };

/** Reads the cluster settings. Without a Redis address, the server works alone. */
export function readClusterConfig(flags: { redis?: string; name?: string }, env: NodeJS.ProcessEnv): Read {
  const wrong = (sentence: string): Read => ({ ok: false, sentence });
  const redisUrl = flags.redis ?? env['LIMINAL_REDIS_URL'] ?? '';
  if (redisUrl === '') return { ok: true, cluster: null };
  if (!isRedisUrl(redisUrl)) {
    return wrong("The Redis address isn't valid. Use one like redis://host:6379, or rediss://… for TLS.");
  }
  const secret = env['LIMINAL_CLUSTER_SECRET'] ?? '';
  if (secret.length < 16) {
    return wrong(
      'With Redis, set LIMINAL_CLUSTER_SECRET to the same secret of at least 16 characters on every machine.',
    );
  }
  const tokens = env['LIMINAL_CLUSTER_TOKENS'] ?? 'every';
  if (tokens !== 'every' && tokens !== 'own') return wrong('LIMINAL_CLUSTER_TOKENS must be "every" or "own".');
  const leaseSeconds = Number(env['LIMINAL_LEASE_SECONDS'] ?? 10);
  if (!(leaseSeconds >= 1 && leaseSeconds <= 600))
    return wrong('LIMINAL_LEASE_SECONDS must be a number from 1 to 600.');
  const redisCaFile = env['LIMINAL_REDIS_CA'] ?? null;
  if (redisCaFile !== null && !existsSync(redisCaFile)) return wrong(`LIMINAL_REDIS_CA: ${redisCaFile} doesn't exist.`);
  return {
    ok: true,
    cluster: {
      redisUrl,
      redisCaFile,
      secret,
      name: (flags.name ?? env['LIMINAL_NODE_NAME'] ?? hostname()).trim().slice(0, 100) || 'unnamed',
      sharesTokens: tokens === 'every',
      leaseMs: leaseSeconds * 1_000,
      takeMs: 5_000,
      answerMs: 30_000,
    },
  };
}

const isRedisUrl = (url: string): boolean => /^rediss?:$/.test(protocolOf(url)) && new URL(url).hostname !== '';

function protocolOf(url: string): string {
  try {
    return new URL(url).protocol;
  } catch {
    return '';
  }
}
