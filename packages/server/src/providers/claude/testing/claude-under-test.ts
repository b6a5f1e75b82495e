import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PermissionRequest, SessionInfo, TurnEvent, UpsertObject } from '@liminal/contracts';
import { type AgentHome, claudeHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { type StandInModel, startStandInModel } from '@liminal/stand-ins/model-server';
import { vi } from 'vitest';
import { findFamily } from '../../../processes/testing/list-processes.ts';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import { createAgentSpawner } from '../../../processes/spawn-agent.ts';
import type { PermissionSignal } from '../../provider.ts';
import type { ProviderError } from '../../provider-error.ts';
import { type ClaudeProvider, type ClaudeProviderDeps, createClaudeProvider } from '../claude-provider.ts';

/** The longest delay a timer supports. */
const never = 2 ** 31 - 1;

/** The real Claude Code, offline: its own home and folder, a scripted model, processes that can be counted. */
export type ClaudeUnderTest = {
  /** The current provider: another one after `restart`. */
  readonly provider: ClaudeProvider;
  /** Simulates a server restart: only the data on disk is left. */
  restart(): Promise<void>;
  readonly model: StandInModel;
  readonly home: AgentHome;
  readonly projectDir: string;
  processes(): Promise<readonly number[]>;
  starts(): number;
  cleanup(): Promise<void>;
};

export async function startClaudeUnderTest(
  options: Partial<ClaudeProviderDeps> & { readonly extraEnv?: Readonly<Record<string, string>> } = {},
): Promise<ClaudeUnderTest> {
  const { extraEnv, ...deps } = options;
  const model = await startStandInModel();
  const home = claudeHome(model);
  const project = projectFolder();
  const mark = `LIMINAL_SERVER_MARK=${randomUUID()}`;
  // A stand-in guardian: only its mark and the number of starts matter here.
  let starts = 0;
  const guardian = { mark, add: () => void (starts += 1), drop: () => {}, close: () => Promise.resolve() };
  const spawner = createAgentSpawner({ guardian, log: silentLog, graceMs: 500 });
  // The SDK's own list of sessions reads this, not the environment it is given.
  const configBefore = process.env['CLAUDE_CONFIG_DIR'];
  process.env['CLAUDE_CONFIG_DIR'] = home.env['CLAUDE_CONFIG_DIR'];
  const start = (): ClaudeProvider =>
    createClaudeProvider({
      spawner,
      log: silentLog,
      env: { ...home.env, LIMINAL_AGENT_ENV: 'IS_SANDBOX,DISABLE_AUTOUPDATER', ...extraEnv },
      now: Date.now,
      newId: randomUUID,
      idsFile: join(home.dir, 'session-ids.json'),
      // A spare would be counted among the processes; tests that need one ask for it.
      limits: { spareDelayMs: never },
      ...deps,
    });
  let provider = start();
  return {
    get provider() {
      return provider;
    },
    async restart() {
      await provider.close();
      provider = start();
    },
    model,
    home,
    projectDir: project.dir,
    processes: () => findFamily({ mark }),
    starts: () => starts,
    async cleanup() {
      await provider.close();
      await spawner.close();
      await model.close();
      if (configBefore === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
      else process.env['CLAUDE_CONFIG_DIR'] = configBefore;
      project.cleanup();
      home.cleanup();
    },
  };
}

export const patience = { timeout: 25_000, interval: 10 };

/** Everything one session reports, with ways to wait for it. */
export function listenTo(provider: ClaudeProvider, sessionId: string) {
  const upserts: UpsertObject[] = [];
  const turns: TurnEvent[] = [];
  const permissions: PermissionSignal[] = [];
  const closed: ProviderError[] = [];
  const infos: SessionInfo[] = [];
  provider.onTurn(sessionId, (event) => turns.push(event));
  provider.onUpsert(sessionId, (upsert) => upserts.push(upsert));
  provider.onPermission?.(sessionId, (signal) => permissions.push(signal));
  provider.onClosed?.(sessionId, (reason) => closed.push(reason));
  provider.onSessionInfo?.(sessionId, (info) => infos.push(info));
  return {
    upserts,
    turns,
    permissions,
    closed,
    infos,
    /** The newest state of each item, in order of appearance. */
    items: (): UpsertObject[] => [...new Map(upserts.map((upsert) => [upsert.itemId, upsert])).values()],
    ended: (turnId: string): Promise<TurnEvent> =>
      vi.waitFor(() => {
        const terminal = turns.find((event) => event.turnId === turnId && event.type !== 'turn_started');
        if (!terminal) throw new Error(`turn ${turnId} has not ended; heard ${JSON.stringify(turns)}`);
        return terminal;
      }, patience),
    /** The open request that nobody has answered yet. */
    asked: (nth = 1): Promise<PermissionRequest> =>
      vi.waitFor(() => {
        const open = permissions.filter((signal) => signal.state === 'open');
        const signal = open[nth - 1];
        if (signal?.state !== 'open') throw new Error(`asked ${open.length} times`);
        return signal.request;
      }, patience),
  };
}
