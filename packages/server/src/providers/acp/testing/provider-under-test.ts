import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFamily } from '../../../processes/find-family.ts';
import { silentLog } from '../../../processes/process-log.ts';
import { createAgentSpawner } from '../../../processes/spawn-agent.ts';
import type { CliProvider } from '../../provider.ts';
import { createAcpProvider } from '../acp-provider.ts';
import type { AgentLimits } from '../connection/agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';

/** A real provider with a spawner of its own, whose processes can be counted. */
export function startProviderUnderTest(
  spec: AgentSpec,
  env: Readonly<Record<string, string>> = {},
  limits: Partial<AgentLimits> = {},
): {
  provider: CliProvider;
  redefine(spec: AgentSpec): void;
  processes(): Promise<readonly number[]>;
  starts(): number;
  cleanup(): Promise<void>;
} {
  const mark = `LIMINAL_SERVER_MARK=${randomUUID()}`;
  // Only the mark and the count are wanted of it: the tests' own end is not what is tested here.
  let starts = 0;
  const guardian = { mark, add: () => void (starts += 1), drop: () => {}, close: () => Promise.resolve() };
  const spawner = createAgentSpawner({ guardian, log: silentLog, graceMs: 500 });
  const neutralDir = mkdtempSync(join(tmpdir(), 'liminal-neutral-'));
  const provider = createAcpProvider(spec, {
    spawner,
    log: silentLog,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    now: Date.now,
    newId: randomUUID,
    clientVersion: '0.0.0',
    neutralDir,
    limits,
  });
  return {
    provider,
    redefine: (changed) => provider.redefine(changed),
    starts: () => starts,
    processes: () => findFamily({ mark }),
    async cleanup() {
      await provider.close();
      await spawner.close();
      rmSync(neutralDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
