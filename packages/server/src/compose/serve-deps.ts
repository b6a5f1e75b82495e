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

/** Everything that differs between a real server and one in a test. */
export type ServeDeps = {
  readonly store: Store;
  readonly registry: ProviderRegistry;
  /** The machine's own git by default. */
  readonly git?: Git;
  readonly token: () => string;
  /** Creates a new token. If left out, the token can't be rotated. */
  readonly rotateToken?: () => Result<string>;
  readonly host: string;
  readonly port: number;
  /** The address people open if it isn't where the server listens, for example behind a reverse proxy. */
  readonly publicUrl?: string;
  readonly version: string;
  readonly pageDir: string | null;
  readonly demoFolder: () => Promise<string>;
  /** An empty folder where agents' own sign-ins run. */
  readonly signInFolder: () => Promise<string>;
  /** The folder that keeps deleted files for a while. */
  readonly trashFolder: string;
  /** The folder that keeps unsaved edits. */
  readonly draftFolder: string;
  /** The folder for attachments that agents can't take in a message. */
  readonly attachmentFolder: string;
  readonly idleMs: number;
  readonly maxLiveAgents: number;
  readonly log: Logger;
  /** The names in LIMINAL_AGENT_ENV, in addition to those a user adds in the page. */
  readonly agentEnv?: readonly string[];
  readonly home?: string;
  /** Creates agents that only a channel host knows of. */
  readonly agentMaker?: AgentMaker;
  /** Cluster settings. If left out, this machine works alone. */
  readonly cluster?: ClusterConfig;
  /** Opens pseudo-terminals. If left out or null, there are none. */
  readonly openPtys?: () => Promise<PtyHost | null>;
  /** Starts the user's commands. Shared with the agents, so all of them end with the server. */
  readonly spawner?: AgentSpawner;
  /** Installs agents. If left out, none can be installed from the page. */
  readonly installer?: AgentInstaller;
  /** The folder for new worktrees. */
  readonly worktreeFolder?: string;
  /** The environment of the user who started the server. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Resolves the host names of webhooks; the system's resolver by default. */
  readonly lookup?: Lookup;
  /** Records metrics and traces. If left out, nothing is measured. */
  readonly telemetry?: Telemetry;
  readonly limits?: Partial<typeof usualLimits>;
};

/** The server's time and size limits. A test can override them. */
export const usualLimits = {
  writeBehindMs: 500,
  historyBytes: 256 * 1024,
  maxOutboxBytes: 4 * 1024 * 1024,
  heartbeatMs: 15_000,
  keeperMs: 15_000,
  /** The longest a message or a first tool call waits for its folder to be recorded. */
  recordMs: 2_000,
  unusedMs: 15 * 60_000,
  /** How long running turns get to finish when the server shuts down. */
  lastChanceMs: 3_000,
  requestMs: 120_000,
  refusedBodyMs: 2_000,
  /** How long keeping a candidate can be undone before the others are parked. */
  keepUndoMs: 10_000,
  webhookMs: 10_000,
  webhookBackoffMs: usualBackoff,
};
