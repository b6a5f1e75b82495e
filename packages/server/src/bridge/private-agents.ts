import type { CliProvider } from '../providers/provider.ts';
import type { ProviderRegistry } from '../providers/registry.ts';

export type PrivateAgents = {
  /** All providers, private ones included. */
  readonly registry: ProviderRegistry;
  add(provider: CliProvider): void;
  /** Ends its agents; its sessions stay readable. */
  remove(cliType: string): Promise<void>;
};

/** Agents that belong to one task of a channel host. Sessions can resolve them, but no list offers them. */
export function createPrivateAgents(shared: ProviderRegistry): PrivateAgents {
  const own = new Map<string, CliProvider>();
  return {
    registry: {
      ...shared,
      resolve: (cliType) => own.get(cliType) ?? shared.resolve(cliType),
      all: () => [...shared.all(), ...own.values()],
    },
    add: (provider) => void own.set(provider.cliType, provider),
    async remove(cliType) {
      const provider = own.get(cliType);
      own.delete(cliType);
      await provider?.close();
    },
  };
}
