import type { CliProvider } from './provider.ts';
import { ProviderError } from './provider-error.ts';

export type ProviderRegistry = {
  register(provider: CliProvider): void;
  /** Adds providers that come and go: `source` is called each time the registry is used. */
  follow(source: () => readonly CliProvider[]): void;
  /** The provider of that type, or a failure that lists the known ones. */
  resolve(cliType: string): CliProvider;
  all(): readonly CliProvider[];
};

export function createProviderRegistry(): ProviderRegistry {
  const registered = new Map<string, CliProvider>();
  const sources: (() => readonly CliProvider[])[] = [];

  /** A registered provider wins over one from a source. */
  function current(): Map<string, CliProvider> {
    const providers = new Map(registered);
    for (const provider of sources.flatMap((source) => source()))
      if (!providers.has(provider.cliType)) providers.set(provider.cliType, provider);
    return providers;
  }

  return {
    register: (provider) => void registered.set(provider.cliType, provider),
    follow: (source) => void sources.push(source),
    resolve(cliType) {
      const providers = current();
      const provider = providers.get(cliType);
      if (provider) return provider;
      const known = [...providers.keys()].join(', ') || 'none';
      throw new ProviderError('UNSUPPORTED_CLI_TYPE', `No agent is called "${cliType}". Available agents: ${known}.`);
    },
    all: () => [...current().values()],
  };
}
