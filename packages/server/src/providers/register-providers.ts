import { randomUUID } from 'node:crypto';
import type { ProcessLog } from '../processes/process-log.ts';
import type { AgentSpawner } from '../processes/spawn-agent.ts';
import { createAcpProvider } from './acp/acp-provider.ts';
import { builtInAgents } from './acp/agents.ts';
import type { ProviderRegistry } from './registry.ts';

export type RegisterDeps = {
  readonly spawner: AgentSpawner;
  readonly log: ProcessLog;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
};

/** Every agent this build knows. One more vendor is one more line here and one more folder beside. */
export function registerProviders(registry: ProviderRegistry, { spawner, log, env, version }: RegisterDeps): void {
  const deps = { spawner, log, env, now: Date.now, newId: () => randomUUID(), clientVersion: version };
  for (const agent of builtInAgents(env)) registry.register(createAcpProvider(agent, deps));
}
