import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFamily } from '../../../processes/testing/list-processes.ts';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import { createAgentSpawner } from '../../../processes/spawn-agent.ts';
import type { CliProvider } from '../../provider.ts';
import { type AcpProviderDeps, createAcpProvider } from '../acp-provider.ts';
import type { AgentLimits } from '../connection/agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';

export type RunningProvider<Provider> = {
  provider: Provider;
  processes(): Promise<readonly number[]>;
  starts(): number;
  cleanup(): Promise<void>;
};

/** A real ACP provider with its own spawner, whose processes can be counted. */
export function startProviderUnderTest(
  spec: AgentSpec,
  env: Readonly<Record<string, string>> = {},
  limits: Partial<AgentLimits> = {},
): RunningProvider<CliProvider> & { redefine(spec: AgentSpec): void } {
  const started = runProvider((deps) => createAcpProvider(spec, { ...deps, limits }), env);
  return { ...started, redefine: (changed) => started.provider.redefine(changed) };
}

/** The same for any provider of an agent with one process per session. */
export function runProvider<Provider extends CliProvider>(
  make: (deps: AcpProviderDeps) => Provider,
  env: Readonly<Record<string, string>>,
): RunningProvider<Provider> {
  const mark = `LIMINAL_SERVER_MARK=${randomUUID()}`;
  // A stand-in guardian: only its mark and the number of starts matter here.
  let starts = 0;
  const guardian = { mark, add: () => void (starts += 1), drop: () => {}, close: () => Promise.resolve() };
  const spawner = createAgentSpawner({ guardian, log: silentLog, graceMs: 500 });
  const neutralDir = mkdtempSync(join(tmpdir(), 'liminal-neutral-'));
  const provider = make({
    spawner,
    log: silentLog,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    now: Date.now,
    newId: randomUUID,
    clientVersion: '0.0.0',
    neutralDir,
  });
  return {
    provider,
    starts: () => starts,
    processes: () => findFamily({ mark }),
    async cleanup() {
      await provider.close();
      await spawner.close();
      rmSync(neutralDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
