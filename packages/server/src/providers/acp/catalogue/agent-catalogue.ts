import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessLog } from '../../../processes/process-log.ts';
import { inTable, present } from '../../kit/read-json.ts';
import { type AgentsRead, readAgentsFile } from './agents-file.ts';
import type { AgentSpec } from './agent-spec.ts';
import { builtInAgents } from './built-in-agents.ts';
import { knownAgents } from './known-agents.ts';
import { readRegistryFile, registryPlatform } from './registry-file.ts';

/** An agent, or an entry that isn't usable yet. */
export type CatalogueEntry =
  | { readonly spec: AgentSpec }
  | { readonly id: string; readonly name: string; readonly problem: string };

export type CatalogueOptions = {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ids of agents that have their own provider. */
  readonly taken: readonly string[];
  /** By id of a bundled agent: a notice for the user when its session starts. */
  readonly notices?: Readonly<Record<string, string>>;
  /** The demo's scratch project. */
  readonly demoFolder?: string;
  readonly log: ProcessLog;
};

/** All agents configured now: files are read again when they have changed. */
export type AgentCatalogue = { read(): readonly CatalogueEntry[] };

/** A file of agents, and its name in error messages. */
type Source = { readonly id: string; readonly file: string; parse(text: string): AgentsRead };

const largestFile = 8 * 1024 * 1024;
const nothing: AgentsRead = { specs: [], problems: [] };

/**
 * Built-in agents come first, then the user's own, then those of a registry file, then the known ones; of two with the
 * same id the earlier wins. Each read checks a file's times and size: that costs microseconds, and also notices what a
 * watcher misses (editors replace files, folders come and go).
 */
export function createAgentCatalogue({
  dataDir,
  env,
  taken,
  notices = {},
  demoFolder,
  log,
}: CatalogueOptions): AgentCatalogue {
  const builtIn = builtInAgents(env, demoFolder).map((spec) => ({
    ...spec,
    ...present({ notice: inTable(notices, spec.id) }),
  }));
  const reserved = new Set([...taken, ...builtIn.map(({ id }) => id)]);
  const own = createSource({
    id: 'agents.json',
    file: join(dataDir, 'agents.json'),
    parse: (text) => readAgentsFile(text, reserved),
  });
  const registry = createSource({
    id: 'registry.json',
    file: env['LIMINAL_AGENT_REGISTRY'] || join(dataDir, 'registry.json'),
    parse: (text) => readRegistryFile(text, { platform: registryPlatform(), agentsDir: join(dataDir, 'agents') }),
  });
  let entries: readonly CatalogueEntry[] | undefined;

  /** A file that is read when it has changed. If it becomes unreadable, its last content stays in effect. */
  function createSource({ id, file, parse }: Source): { refresh(): boolean; entries(): readonly CatalogueEntry[] } {
    let stamp: string | undefined;
    let last: AgentsRead = nothing;
    let current: AgentsRead = nothing;
    const read = (): AgentsRead => {
      try {
        const { size } = statSync(file);
        if (size > largestFile) return { specs: [], problems: [{ problem: `it is larger than ${largestFile} bytes` }] };
        return parse(readFileSync(file, 'utf8'));
      } catch (error) {
        const { code = 'unknown error' } = error as NodeJS.ErrnoException;
        return code === 'ENOENT' ? nothing : { specs: [], problems: [{ problem: `it can't be read (${code})` }] };
      }
    };
    return {
      refresh() {
        const now = stampOf(file);
        if (now === stamp) return false;
        stamp = now;
        const fresh = read();
        const isBroken = fresh.specs.length === 0 && fresh.problems.some((problem) => problem.id === undefined);
        current = isBroken ? { specs: last.specs, problems: fresh.problems } : fresh;
        if (!isBroken) last = fresh;
        for (const { problem } of fresh.problems) log.warn({ file, problem }, 'an agents file has an error');
        return true;
      },
      entries() {
        const named = current.problems.flatMap(({ id: own, name, problem }) =>
          own === undefined ? [] : [{ id: own, name: name ?? own, problem: `${file}, ${problem}` }],
        );
        const rest = current.problems.filter((problem) => problem.id === undefined).map(({ problem }) => problem);
        const whole = rest.length === 0 ? [] : [{ id, name: id, problem: `${file}: ${rest.join('; ')}` }];
        return [...current.specs.map((spec) => ({ spec })), ...named, ...whole];
      },
    };
  }

  return {
    read() {
      const changed = [own.refresh(), registry.refresh()].includes(true);
      if (entries && !changed) return entries;
      const all = [
        ...builtIn.map((spec) => ({ spec })),
        ...own.entries(),
        ...registry.entries(),
        ...knownAgents.map((spec) => ({ spec })),
      ];
      const seen = new Set<string>(taken);
      entries = all.filter((entry) => {
        const id = 'spec' in entry ? entry.spec.id : entry.id;
        const isNew = !seen.has(id);
        seen.add(id);
        return isNew;
      });
      return entries;
    },
  };
}

/** Changes when the file does; includes the change time, because a copy may keep the old modification time. */
function stampOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : 'absent';
}
