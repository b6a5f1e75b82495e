import type { ProviderCapabilities } from '@liminal/contracts';
import type { AgentFamily } from '../agent-environment.ts';

/** One ACP agent, as data. */
export type AgentSpec = {
  readonly id: string;
  readonly name: string;
  /** A path, or a name looked up in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Set on top of what agents get of our environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly family: AgentFamily;
  readonly capabilities: ProviderCapabilities;
  /** Where the agent's own default lets something other than a person approve. */
  readonly defaultModeId?: string;
  /** Its chunks without a message id are notes and errors, not its answer. */
  readonly notesLackIds?: boolean;
  /** What to do when the program is missing. */
  readonly installHint?: string;
};

/** What every ACP agent can do through this provider, before it has said more. */
export const acpCapabilities: ProviderCapabilities = {
  load: true,
  discover: false,
  images: true,
  steer: false,
  fork: false,
  models: true,
  modes: true,
  efforts: true,
  permissions: true,
  untrustedFolders: false,
};
