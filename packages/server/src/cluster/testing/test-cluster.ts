import { type RedisOptions, type RedisProcess, startRedis } from '@liminal/stand-ins/testing/start-redis';
import { vi } from 'vitest';
import { createLogger } from '../../observe/logger.ts';
import { patience } from '../../reliability/testing/torture.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing/test-server.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import type { ClusterConfig } from '../membership/cluster-config.ts';
import type { Cluster } from '../join-cluster.ts';

export const testSecret = 'a secret that all nodes share';

export type TestNode = TestServer & {
  readonly cluster: Cluster;
  readonly port: number;
  readonly name: string;
  /** Its log warnings that a user should see. */
  readonly warnings: readonly string[];
};
export type TestCluster = {
  readonly redis: RedisProcess;
  readonly nodes: readonly TestNode[];
  /** Starts one more node and waits until it has joined. */
  add(options?: TestServerOptions & { readonly config?: Partial<ClusterConfig> }): Promise<TestNode>;
  /** Resolves when every node has joined, published everything, and knows all the others. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

const clusterConfig = (redisUrl: string, name: string, more: Partial<ClusterConfig> = {}): ClusterConfig => ({
  redisUrl,
  redisCaFile: null,
  secret: testSecret,
  name,
  sharesTokens: true,
  leaseMs: 2_000,
  takeMs: 5_000,
  answerMs: 30_000,
  ...more,
});

/** Several servers in the test's own process, with a real Redis of their own. */
export async function startTestCluster(count: number, redisOptions: RedisOptions = {}): Promise<TestCluster> {
  const redis = await startRedis(redisOptions);
  const nodes: TestNode[] = [];
  const settled = async (): Promise<void> => {
    await vi.waitFor(async () => {
      for (const { cluster, name } of nodes) {
        const { state, nodes: seen } = cluster.view();
        if (state !== 'joined' || !cluster.isSettled()) throw new Error(`${name} has not settled`);
        const there = seen.filter(({ presence }) => presence === 'here' || presence === 'there').length;
        if (there < nodes.length) throw new Error(`${name} sees ${JSON.stringify(seen)}`);
        if (!(await cluster.bus.isSettled())) throw new Error(`${name} has not published everything`);
        for (const other of nodes) {
          const missing = other.served.roster.all().find(({ shell }) => !cluster.directory.get(shell.sessionId));
          if (missing) throw new Error(`${name} does not know ${missing.shell.sessionId}`);
        }
      }
    }, patience);
  };
  const add: TestCluster['add'] = async ({ config = {}, ...options } = {}) => {
    const name = `node-${nodes.length + 1}`;
    // Agents of different machines create different ids.
    const provider = options.provider ?? createScriptedProvider('scripted', {}, name);
    const cluster = clusterConfig(redis.url, name, config);
    const warnings: string[] = [];
    const log = createLogger('silent');
    vi.spyOn(log, 'warn').mockImplementation((...said: unknown[]) => void warnings.push(String(said.at(-1))));
    const server = await startTestServer({ provider, log, ...options, cluster });
    const port = await server.served.listen();
    if (!server.served.cluster) throw new Error('the server has no cluster');
    const node = { ...server, cluster: server.served.cluster, port, name, warnings };
    nodes.push(node);
    return node;
  };
  for (let index = 0; index < count; index += 1) await add();
  await settled();
  return {
    redis,
    nodes,
    add,
    settled,
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await redis.stop();
    },
  };
}
