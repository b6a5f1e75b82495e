import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../observe/logger.ts';
import { findFamily } from '../../processes/testing/list-processes.ts';
import { silentLog } from '../../processes/testing/silent-log.ts';
import { createAgentSpawner } from '../../processes/spawn-agent.ts';
import { createAcpProvider } from '../../providers/acp/acp-provider.ts';
import type { AgentLimits } from '../../providers/acp/connection/agent-deps.ts';
import type { AgentSpec } from '../../providers/acp/catalogue/agent-spec.ts';
import { createProviderRegistry } from '../../providers/registry.ts';
import { serve, type Served } from '../../compose/serve.ts';
import type { ServeDeps } from '../../compose/serve-deps.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import { testToken } from '../../testing/test-server.ts';
import { type Address, type Api, createApi } from './api.ts';
import { recordingAgent } from './recording-agent-spec.ts';

export type AgentServer = {
  readonly served: Served;
  readonly address: Address;
  readonly api: Api;
  readonly folder: string;
  /** Agent processes alive now, including tools. */
  agents(): Promise<readonly number[]>;
  close(): Promise<void>;
};

export type AgentServerOptions = Partial<Pick<ServeDeps, 'idleMs' | 'maxLiveAgents'>> & {
  readonly agentLimits?: Partial<AgentLimits>;
  readonly spec?: Partial<AgentSpec>;
  /** One agent for each of these, instead of a single one. */
  readonly specs?: readonly Partial<AgentSpec>[];
};

/** The real service with real agent processes, in the test's own process, so its limits can be small. */
export async function startAgentServer(options: AgentServerOptions = {}): Promise<AgentServer> {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-agents-'));
  const mark = randomUUID();
  const spawner = createAgentSpawner({ log: silentLog, graceMs: 300 });
  const registry = createProviderRegistry();
  const deps = {
    spawner,
    log: silentLog,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    now: Date.now,
    newId: randomUUID,
    clientVersion: '0.0.0',
    neutralDir: folder,
    limits: options.agentLimits ?? {},
  };
  const usual = { ...recordingAgent(join(folder, 'prompts.jsonl'), mark), ...options.spec };
  for (const spec of options.specs ?? [{}]) registry.register(createAcpProvider({ ...usual, ...spec }, deps));
  const served = await serve({
    store: createMemoryStore(),
    registry,
    token: () => testToken,
    host: '127.0.0.1',
    port: 0,
    version: 'test',
    pageDir: null,
    demoFolder: async () => folder,
    signInFolder: async () => folder,
    trashFolder: `${folder}-trash`,
    draftFolder: `${folder}-drafts`,
    attachmentFolder: `${folder}-attachments`,
    idleMs: options.idleMs ?? 3_600_000,
    maxLiveAgents: options.maxLiveAgents ?? 8,
    log: createLogger('silent'),
    limits: { writeBehindMs: 20, lastChanceMs: 0 },
  });
  const address = { port: await served.listen(), token: testToken };
  return {
    served,
    address,
    api: createApi(address),
    folder,
    agents: () => findFamily({ mark: `RECORDED_AGENT_MARK=${mark}` }),
    async close() {
      await served.close();
      await spawner.close();
      for (const end of ['', '-trash', '-drafts', '-attachments'])
        rmSync(`${folder}${end}`, { recursive: true, force: true });
    },
  };
}
