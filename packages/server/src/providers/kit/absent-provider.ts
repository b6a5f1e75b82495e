import type { CliProvider } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';

export type Absence = { readonly name?: string; readonly reason?: string };

/**
 * Replaces an agent that isn't configured, or is configured incorrectly: its sessions stay readable, and it says why
 * they can't continue.
 */
export function absentProvider(cliType: string, { name = cliType, reason }: Absence = {}): CliProvider {
  const sentence =
    reason ?? `The agent "${cliType}" of this session is no longer configured. Add it to agents.json to continue.`;
  const refuse = (): never => {
    throw new ProviderError('UNSUPPORTED_CLI_TYPE', sentence);
  };
  const nothing = () => () => {};
  return {
    cliType,
    name,
    capabilities: {
      load: false,
      discover: false,
      images: false,
      steer: false,
      fork: false,
      models: false,
      modes: false,
      efforts: false,
      permissions: false,
      untrustedFolders: true,
    },
    availability: async () => ({ available: false, reason: reason ?? "It isn't configured here." }),
    createSession: async () => refuse(),
    loadSession: async () => refuse(),
    sendMessage: async () => refuse(),
    cancelTurn: async () => {},
    killSession: async () => {},
    isAlive: () => false,
    onUpsert: nothing,
    onTurn: nothing,
    close: async () => {},
  };
}
