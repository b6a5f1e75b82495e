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
  /** Set on top of what agents get of our environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly family: AgentFamily;
  /** Beginnings of the names of variables that are this agent's own. */
  readonly ownVariables?: readonly string[];
  /** The best guess before the agent has said what it can do. */
  readonly capabilities: ProviderCapabilities;
  /** Not offered, whatever the agent says: it would do what another provider does better. */
  readonly withheld?: readonly (keyof ProviderCapabilities)[];
  /** Where the agent's own default lets something other than a user approve. */
  readonly defaultModeId?: string;
  /** It works on files through us. */
  readonly usesFiles?: boolean;
  /** It runs commands through us. */
  readonly usesTerminals?: boolean;
  /** Codex's own server: it lists the sessions that its adapter leaves out. */
  readonly appServer?: { readonly command: string; readonly args: readonly string[] };
  readonly login?: AgentLogin;
  /** What a user should know when a session of it begins. */
  readonly notice?: string;
  /** What to do when the program is missing. */
  readonly installHint?: string;
};

/** How a user signs in. */
export type AgentLogin = {
  /** What to run in a terminal. */
  readonly command?: string;
  /** The same as a program of ours, where `command` is only for reading. */
  readonly program?: SignInProgram;
  /** Variables for a key; where one of them is set, the agent uses it. */
  readonly keys?: readonly string[];
};

/** What an ACP agent can do as far as is known before it has said more. */
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
