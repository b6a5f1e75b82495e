import type { Result } from '@liminal/contracts';
import type { AgentMaker } from '../bridge/task-agent.ts';
import type { ClusterConfig } from '../cluster/membership/cluster-config.ts';
import type { Git } from '../git/git.ts';
import type { Logger } from '../observe/logger.ts';
import type { AgentSpawner } from '../processes/spawn-agent.ts';
import type { AgentInstaller } from '../providers/install-agent.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { PtyHost } from '../terminals/pty/pty.ts';
import type { Store } from '../store/store.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Lookup } from '../webhooks/post-event.ts';
import { usualBackoff } from '../webhooks/deliver.ts';

/** What a server is made of: everything that differs between a real one and one of a test. */
export type ServeDeps = {
  readonly store: Store;
  readonly registry: ProviderRegistry;
  /** The git of this machine unless given. */
  readonly git?: Git;
  readonly token: () => string;
  /** Makes a new token; left out, the token stays what it is. */
  readonly rotateToken?: () => Result<string>;
  readonly host: string;
  readonly port: number;
  /** Where people reach this server when that is not where it listens: behind a reverse proxy. */
  readonly publicUrl?: string;
  readonly version: string;
  readonly pageDir: string | null;
  readonly demoFolder: () => Promise<string>;
  /** An empty folder, where agents' own sign-ins run. */
  readonly signInFolder: () => Promise<string>;
  /** Where files that people delete are kept for a while. */
  readonly trashFolder: string;
  /** Where edits of files are kept until they are saved. */
  readonly draftFolder: string;
  /** Where files are kept that people attach and agents can't take in a message. */
  readonly attachmentFolder: string;
  readonly idleMs: number;
  readonly maxLiveAgents: number;
  readonly log: Logger;
  /** Names in LIMINAL_AGENT_ENV: they hold beside those a user adds in the page. */
  readonly agentEnv?: readonly string[];
  readonly home?: string;
  /** Makes agents that only a channel host knows of. */
  readonly agentMaker?: AgentMaker;
  /** How to work together with other machines; left out, this one works alone. */
  readonly cluster?: ClusterConfig;
  /** Opens pseudo-terminals; left out, or null, there are none. */
  readonly openPtys?: () => Promise<PtyHost | null>;
  /** Starts commands of the user; shared with the agents, so all of them end with the server. */
  readonly spawner?: AgentSpawner;
  /** Installs agents; left out, none can be installed from the page. */
  readonly installer?: AgentInstaller;
  /** Where worktrees are made. */
  readonly worktreeFolder?: string;
  /** The environment of the user who started the server. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How names of webhooks become addresses; the system's way unless given. */
  readonly lookup?: Lookup;
  /** Measures what the server does; left out, nothing is measured. */
  readonly telemetry?: Telemetry;
  readonly limits?: Partial<typeof usualLimits>;
};

/** Times and sizes of a server, unless a test gives others. */
export const usualLimits = {
  writeBehindMs: 500,
  historyBytes: 256 * 1024,
  maxOutboxBytes: 4 * 1024 * 1024,
  heartbeatMs: 15_000,
  keeperMs: 15_000,
  unusedMs: 15 * 60_000,
  /** How long running turns may take to end by themselves when the server shuts down. */
  lastChanceMs: 3_000,
  requestMs: 120_000,
  refusedBodyMs: 2_000,
  /** How long a candidate that was kept can be given up again before the others are parked. */
  keepUndoMs: 10_000,
  webhookMs: 10_000,
  webhookBackoffMs: usualBackoff,
};
