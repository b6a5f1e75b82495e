import { setTimeout as wait } from 'node:timers/promises';
import { startRedis, type RedisProcess } from '@liminal/stand-ins/testing/start-redis';
import type { Asked } from '../processes/start-process.ts';
import { startHost } from './start-host.ts';

export type Pair = {
  readonly redis: RedisProcess;
  /** The machine whose agents send output. */
  readonly owner: Asked;
  readonly other: { readonly port: number; readonly token: string };
  /** Resolves when the other machine knows the session. */
  knows(sessionId: string): Promise<void>;
  stop(): Promise<void>;
};

const idleJob = new URL('../jobs/idle-job.ts', import.meta.url);

/** Two servers of a cluster with their own Redis; the job runs in the first. */
export async function startPair(job: URL): Promise<Pair> {
  const redis = await startRedis();
  // The servers inherit these variables; each bench runs in its own process.
  Object.assign(process.env, { LIMINAL_REDIS_URL: redis.url, LIMINAL_CLUSTER_SECRET: 'only for this benchmark' });
  const owner = await startHost(job);
  const second = await startHost(idleJob);
  const other = await second.ask<{ port: number; token: string }>('open');
  return {
    redis,
    owner,
    other,
    async knows(sessionId) {
      const headers = { authorization: `Bearer ${other.token}` };
      const url = `http://127.0.0.1:${other.port}/api/session/${sessionId}/history`;
      while ((await fetch(url, { headers })).status !== 200) await wait(20);
    },
    async stop() {
      await owner.stop();
      await second.stop();
      await redis.stop();
    },
  };
}
