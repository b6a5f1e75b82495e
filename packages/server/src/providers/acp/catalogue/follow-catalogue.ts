import { absentProvider } from '../../kit/absent-provider.ts';
import type { CliProvider } from '../../provider.ts';
import { type AcpProvider, type AcpProviderDeps, createAcpProvider } from '../acp-provider.ts';
import type { AgentCatalogue, CatalogueEntry } from './agent-catalogue.ts';
import type { AgentSpec } from './agent-spec.ts';

/**
 * The providers of the current catalogue. An agent whose entry changes, or disappears for a while, keeps its provider
 * and its running sessions.
 */
export function followCatalogue(catalogue: AgentCatalogue, deps: AcpProviderDeps): () => readonly CliProvider[] {
  const made = new Map<string, { readonly provider: AcpProvider; spec: AgentSpec }>();
  let entries: readonly CatalogueEntry[] | undefined;
  let providers: readonly CliProvider[] = [];

  function providerOf(entry: CatalogueEntry): CliProvider {
    if (!('spec' in entry)) return absentProvider(entry.id, { name: entry.name, reason: entry.problem });
    const { spec } = entry;
    const known = made.get(spec.id);
    if (!known) {
      const provider = createAcpProvider(spec, deps);
      made.set(spec.id, { provider, spec });
      return provider;
    }
    if (JSON.stringify(known.spec) !== JSON.stringify(spec)) {
      known.provider.redefine(spec);
      known.spec = spec;
    }
    return known.provider;
  }

  return () => {
    const now = catalogue.read();
    if (now !== entries) {
      entries = now;
      providers = now.map(providerOf);
    }
    return providers;
  };
}
