import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtTestMain } from '@liminal/stand-ins/testing/start-program';
import type { ClusterView, NodePresence, SessionSummary } from '@liminal/contracts';
import { type RedisProcess, startRedis } from '@liminal/stand-ins/testing/start-redis';
import { expect, vi } from 'vitest';
import {
  createRecordedProgram,
  type RecordedProgram,
  type Running,
} from '../../reliability/testing/recorded-program.ts';
import { patience } from '../../reliability/testing/torture.ts';
import { testSecret } from './test-cluster.ts';

export type ProgramNode = {
  readonly name: string;
  readonly recorded: RecordedProgram;
  /** The current process. */
  running(): Running;
  /** Starts it, or restarts it on the same data, and waits until it has joined. */
  start(): Promise<Running>;
  freeze(): void;
  wake(): void;
  view(): Promise<ClusterView>;
  /** A session as this node lists it. */
  summary(projectId: string, sessionId: string): Promise<SessionSummary | undefined>;
};

export type ProgramCluster = {
  readonly redis: RedisProcess;
  readonly nodes: readonly ProgramNode[];
  readonly leaseMs: number;
  /** Resolves when this node sees the other in this state. */
  sees(node: ProgramNode, other: ProgramNode, presence: NodePresence): Promise<void>;
  /** Wakes or restarts the nodes that a test left frozen or dead. */
  mend(): Promise<void>;
  close(): Promise<void>;
};

const main = builtTestMain('cluster/testing/cluster-main');

export type ProgramClusterOptions = {
  readonly leaseSeconds?: number;
  /** Additional environment variables of every node, such as the home of a real agent. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Whole programs in separate processes with a real Redis. Their agents share one home. */
export async function startProgramCluster(
  count: number,
  { leaseSeconds = 3, env: more = {} }: ProgramClusterOptions = {},
): Promise<ProgramCluster> {
  const redis = await startRedis();
  const root = mkdtempSync(join(tmpdir(), 'liminal-cluster-'));
  const env = {
    ...more,
    LIMINAL_REDIS_URL: redis.url,
    LIMINAL_CLUSTER_SECRET: testSecret,
    LIMINAL_LEASE_SECONDS: String(leaseSeconds),
    RECORDING_HOME: join(root, 'home'),
  };
  const createNode = (name: string): ProgramNode => {
    const recorded = createRecordedProgram(main);
    let running: Running | null = null;
    const current = (): Running => {
      if (!running) throw new Error(`${name} does not run`);
      return running;
    };
    const view = async () => (await current().api.call('GET', '/api/cluster')).body.cluster as ClusterView;
    return {
      name,
      recorded,
      running: current,
      view,
      async start() {
        running = await recorded.start({ ...env, LIMINAL_NODE_NAME: name });
        await vi.waitFor(async () => expect((await view()).state).toBe('joined'), patience);
        return running;
      },
      freeze: () => void current().program.child.kill('SIGSTOP'),
      wake: () => void current().program.child.kill('SIGCONT'),
      async summary(projectId, sessionId) {
        const { body } = await current().api.call('GET', `/api/session/list?projectId=${projectId}`);
        return (body.sessions as SessionSummary[] | undefined)?.find((one) => one.sessionId === sessionId);
      },
    };
  };
  const nodes = Array.from({ length: count }, (_, index) => createNode(`node-${index + 1}`));
  await Promise.all(nodes.map((node) => node.start()));
  const sees: ProgramCluster['sees'] = (node, other, presence) =>
    vi.waitFor(async () => {
      const seen = (await node.view()).nodes.find(({ name }) => name === other.name);
      expect(seen?.presence).toBe(presence);
    }, patience);
  return {
    redis,
    nodes,
    leaseMs: leaseSeconds * 1_000,
    sees,
    async mend() {
      for (const node of nodes) {
        const { exitCode, signalCode } = node.running().program.child;
        if (exitCode !== null || signalCode !== null) await node.start();
        else node.wake();
      }
    },
    async close() {
      for (const node of nodes) node.wake();
      await Promise.all(nodes.map((node) => node.recorded.cleanup()));
      await redis.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
