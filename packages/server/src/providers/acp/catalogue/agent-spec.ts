import type { ProviderCapabilities } from '@liminal/contracts';
import type { SignInProgram } from '../../provider.ts';
import type { AgentFamily } from '../../../processes/agent-environment.ts';

/** One ACP agent, as data. */
export type AgentSpec = {
  readonly id: string;
  readonly name: string;
  /** A path, or a name looked up in PATH and in our own packages. */
  readonly command: string;
  readonly args: readonly string[];
  /** Where a user may have unpacked it; used when `command` is not installed. */
  readonly unpacked?: { readonly command: string; readonly args: readonly string[] };
  /** Added to the environment that agents get from ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly family: AgentFamily;
  /** Name prefixes of this agent's own variables. */
  readonly ownVariables?: readonly string[];
  /** The best guess until the agent has reported its capabilities. */
  readonly capabilities: ProviderCapabilities;
  /** Capabilities not offered even if the agent has them, because another provider handles them better. */
  readonly withheld?: readonly (keyof ProviderCapabilities)[];
  /** Set where the agent's own default lets something other than the user approve. */
  readonly defaultModeId?: string;
  /** It reads and writes files through us. */
  readonly usesFiles?: boolean;
  /** It runs commands through us. */
  readonly usesTerminals?: boolean;
  /** Codex's own server: it lists sessions that its adapter omits. */
  readonly appServer?: { readonly command: string; readonly args: readonly string[] };
  readonly login?: AgentLogin;
  /** A notice for the user when its session starts. */
  readonly notice?: string;
  /** What to do if the program is missing. */
  readonly installHint?: string;
};

/** How a user signs in. */
export type AgentLogin = {
  /** The command to run in a terminal. */
  readonly command?: string;
  /** The same as a program we can start, where `command` is only for display. */
  readonly program?: SignInProgram;
  /** Variables for an API key; the agent uses one that is set. */
  readonly keys?: readonly string[];
};

/** What an ACP agent can do, as far as known before it has reported more. */
export const acpCapabilities: ProviderCapabilities = {
  load: true,
  // An agent that can't list its sessions says so when first asked.
  discover: true,
  images: true,
  steer: false,
  fork: false,
  models: true,
  modes: true,
  efforts: true,
  permissions: true,
  untrustedFolders: false,
};
