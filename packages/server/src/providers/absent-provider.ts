import type { CliProvider } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** Stands for an agent that is no longer configured: its sessions stay readable, and say why they cannot go on. */
export function absentProvider(cliType: string): CliProvider {
  const refuse = (): never => {
    throw new ProviderError(
      'UNSUPPORTED_CLI_TYPE',
      `The agent "${cliType}" of this session is not configured here any more. Add it to agents.json to go on.`,
    );
  };
  const nothing = () => () => {};
  return {
    cliType,
    name: cliType,
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
    availability: async () => ({ available: false, reason: 'It is not configured here.' }),
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
