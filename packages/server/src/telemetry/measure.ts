import type { Wire } from '../delivery/pump.ts';
import type { AgentProcess, AgentSpawner } from '../processes/spawn-agent.ts';
import type { Store } from '../store/store.ts';
import type { Telemetry } from './telemetry.ts';

/** Wraps the store and times its writes. */
export function measureStore(store: Store, telemetry: Pick<Telemetry, 'stored'>): Store {
  return {
    ...store,
    async write(writes) {
      const since = performance.now();
      let isOk = false;
      try {
        await store.write(writes);
        isOk = true;
      } finally {
        telemetry.stored({ rows: writes.length, ms: performance.now() - since, isOk });
      }
    },
  };
}

/** Wraps a socket and counts what is sent, with the time until the system accepts it. */
export function measureWire<W extends Wire>(wire: W, telemetry: Pick<Telemetry, 'delivered'>): W {
  return {
    ...wire,
    send(frame, done) {
      const since = performance.now();
      wire.send(frame, () => {
        telemetry.delivered({ bytes: Buffer.byteLength(String(frame)), ms: performance.now() - since });
        done?.();
      });
    },
  };
}

/** Wraps the spawner and counts the starts and ends of agents, but not the tools they run. */
export function measureSpawner(
  spawner: AgentSpawner,
  telemetry: Pick<Telemetry, 'agentStarted' | 'agentEnded'>,
): AgentSpawner {
  let isClosing = false;
  return {
    async spawn(command) {
      const { agent } = command;
      if (agent === undefined) return spawner.spawn(command);
      const since = performance.now();
      const started = await spawner.spawn(command).catch((error: unknown) => {
        telemetry.agentStarted({ agent, ms: performance.now() - since, isOk: false });
        throw error;
      });
      telemetry.agentStarted({ agent, ms: performance.now() - since, isOk: true });
      let isStopped = false;
      void started.exited.then(({ code }) => {
        const how = isStopped || isClosing ? 'stopped' : code === 0 ? 'exited' : 'crashed';
        telemetry.agentEnded({ agent, ms: performance.now() - since, how });
      });
      return withKill(started, () => {
        isStopped = true;
        return started.kill();
      });
    },
    close() {
      isClosing = true;
      return spawner.close();
    },
  };
}

const withKill = (agent: AgentProcess, kill: () => Promise<void>): AgentProcess => ({
  ...agent,
  get isRunning() {
    return agent.isRunning;
  },
  get outputBytes() {
    return agent.outputBytes;
  },
  kill,
});
