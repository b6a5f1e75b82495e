import type { CliProvider } from './provider.ts';
import { ProviderError } from './provider-error.ts';

export type ProviderRegistry = {
  register(provider: CliProvider): void;
  /** The provider of that type, or a failure that lists the known ones. */
  resolve(cliType: string): CliProvider;
  all(): readonly CliProvider[];
};

export function createProviderRegistry(): ProviderRegistry {
  const providers = new Map<string, CliProvider>();
  return {
    register: (provider) => void providers.set(provider.cliType, provider),
    resolve(cliType) {
      const provider = providers.get(cliType);
      if (provider) return provider;
      const known = [...providers.keys()].join(', ') || 'none';
      throw new ProviderError('UNSUPPORTED_CLI_TYPE', `There is no agent "${cliType}". Known agents: ${known}.`);
    },
    all: () => [...providers.values()],
  };
}
