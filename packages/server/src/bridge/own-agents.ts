import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ProcessLog } from '../processes/process-log.ts';
import type { AgentSpawner } from '../processes/spawn-agent.ts';
import { createAcpProvider } from '../providers/acp/acp-provider.ts';
import { acpCapabilities } from '../providers/acp/catalogue/agent-spec.ts';
import { claudeIdsFile, createClaudeProvider } from '../providers/claude/claude-provider.ts';
import type { AgentMaker } from './task-agent.ts';

export type OwnAgentDeps = {
  readonly spawner: AgentSpawner;
  readonly log: ProcessLog;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly dataDir: string;
};

/**
 * Agents for one task of a channel host. Their commands, environment variables and keys live in memory and end with the
 * task.
 */
export function createAgentMaker({ spawner, log, env, version, dataDir }: OwnAgentDeps): AgentMaker {
  const deps = { spawner, log, now: Date.now, newId: () => randomUUID(), clientVersion: version };
  return {
    fromCommand({ cliType, name, command, args, env: own }) {
      // We know nothing about this agent, so it gets no secrets except those the host gives it.
      const spec = {
        id: cliType,
        name,
        command,
        args,
        env: own,
        family: 'none',
        capabilities: acpCapabilities,
      } as const;
      return createAcpProvider(spec, { ...deps, env, neutralDir: join(dataDir, 'agents') });
    },
    claudeWithKey(cliType, apiKey) {
      const provider = createClaudeProvider({
        ...deps,
        idsFile: claudeIdsFile(dataDir),
        env: { ...env, ANTHROPIC_API_KEY: apiKey },
      });
      // Use another name for the same provider, so its sessions aren't mistaken for those of the user's own account.
      return Object.create(provider, { cliType: { value: cliType, enumerable: true } }) as typeof provider;
    },
  };
}
