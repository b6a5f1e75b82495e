import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AddableName } from '@liminal/domain/agents/addable-agents';
import type { ProcessLog } from '../processes/process-log.ts';
import type { AgentSpawner } from '../processes/spawn-agent.ts';
import { createAgentCatalogue } from '../providers/acp/catalogue/agent-catalogue.ts';
import { followCatalogue } from '../providers/acp/catalogue/follow-catalogue.ts';
import { codexPath } from '../providers/codex/codex-path.ts';
import { createCodexProvider } from '../providers/codex/codex-provider.ts';
import { bundledBinary, codexServer } from '../providers/codex/process/codex-program.ts';
import { bundledClaude, hasSdk } from '../providers/claude/process/bundled-claude.ts';
import { claudeIdsFile, createClaudeProvider } from '../providers/claude/claude-provider.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import { demoFolderOf } from './demo-project.ts';

export type RegisterDeps = {
  readonly spawner: AgentSpawner;
  readonly log: ProcessLog;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** The folder with agents.json, which lists the user's own agents. */
  readonly dataDir: string;
  /** Whether this agent was used before in this data directory. Only then is a spare process worth its memory. */
  readonly wasUsed: (cliType: string) => boolean;
};

/** Registers every agent of this build. To add a vendor, add a line here and a folder under `providers`. */
export function registerProviders(
  registry: ProviderRegistry,
  { spawner, log, env, version, dataDir, wasUsed }: RegisterDeps,
): void {
  const deps = { spawner, log, env, now: Date.now, newId: () => randomUUID(), clientVersion: version };
  const idsFile = claudeIdsFile(dataDir);
  registry.register(createClaudeProvider({ ...deps, idsFile, wasUsed: () => wasUsed('claude-code') }));
  const neutralDir = join(dataDir, 'agents');
  const codex = codexPath(env);
  if (codex.kind === 'native') registry.register(createCodexProvider(codexServer(env), { ...deps, neutralDir }));
  else if (codex.notice !== undefined) log.warn({ agent: 'codex' }, codex.notice);
  const notices = codex.kind === 'acp' && codex.notice !== undefined ? { codex: codex.notice } : {};
  const taken = registry.all().map(({ cliType }) => cliType);
  const catalogue = createAgentCatalogue({ dataDir, env, taken, notices, demoFolder: demoFolderOf(dataDir), log });
  registry.follow(followCatalogue(catalogue, { ...deps, neutralDir }));
}

/** Whether no program of this agent is installed. A path set by the user counts as installed. */
export function isAgentMissing(name: AddableName, env: RegisterDeps['env']): boolean {
  switch (name) {
    case 'claude':
      return !hasSdk() || (!env['LIMINAL_CLAUDE_PATH'] && bundledClaude() === undefined);
    case 'codex':
      return !env['CODEX_PATH'] && bundledBinary() === undefined;
  }
}
