import { basename, join } from 'node:path';
import { CliType } from '@liminal/contracts';
import { asRecord, asRecords, asTexts, asNonEmptyString, isRecord, type Loose, present } from '../../kit/read-json.ts';
import { type AgentsRead, type AgentProblem, parseJson } from './agents-file.ts';
import { acpCapabilities, type AgentSpec } from './agent-spec.ts';
import { idsByPackage, knownAgents } from './known-agents.ts';

export type RegistryOptions = {
  /** As the registry spells it: `linux-x86_64`. */
  readonly platform: string;
  /** Where a user unpacks the archives of binary agents, one folder each. */
  readonly agentsDir: string;
};

/**
 * Reads the file of the public ACP registry. Nothing is fetched or installed: an entry is an agent that can start once
 * its program exists, and says what to do until then.
 */
export function readRegistryFile(text: string, options: RegistryOptions): AgentsRead {
  const parsed = parseJson(text);
  if ('problem' in parsed) return { specs: [], problems: [parsed] };
  const { agents } = asRecord(parsed.value);
  if (!Array.isArray(agents)) return { specs: [], problems: [{ problem: 'it has no list "agents"' }] };
  const specs = new Map<string, AgentSpec>();
  const problems: AgentProblem[] = [];
  for (const [index, raw] of asRecords(agents).entries()) {
    const id = CliType.safeParse(raw['id']);
    if (!id.success)
      problems.push({ problem: `entry ${index + 1}: "id" ${id.error.issues[0]?.message ?? 'is wrong'}` });
    else {
      const spec = specOf(id.data, raw, options);
      specs.set(spec.id, spec);
    }
  }
  return { specs: [...specs.values()], problems };
}

function specOf(registryId: string, raw: Loose, options: RegistryOptions): AgentSpec {
  const distribution = asRecord(raw['distribution']);
  const installed =
    packageStart(distribution['npx'], 'npm install --global') ?? packageStart(distribution['uvx'], 'uv tool install');
  const start = installed ?? binaryStart(registryId, distribution['binary'], options);
  const id = ownIdOf(registryId, distribution);
  const name = asNonEmptyString(raw['name']) ?? id;
  const known = knownAgents.find((agent) => agent.id === id);
  if (known) return knownStart({ ...known, name }, start, installed !== undefined);
  return {
    id,
    name,
    family: 'none',
    capabilities: acpCapabilities,
    ...(start ?? {
      command: id,
      args: [],
      env: {},
      installHint: `The registry has no build for ${options.platform}.`,
    }),
  };
}

/** Our id for an agent we already know, found by its package, because the registry may use another id. */
function ownIdOf(registryId: string, distribution: Loose): string {
  const wanted = asNonEmptyString(asRecord(distribution['npx'])['package']);
  return (wanted === undefined ? undefined : idsByPackage.get(bareName(wanted))) ?? registryId;
}

/**
 * Our own entry has the agent's command, keys and quirks; the registry adds the arguments of its newest version, or
 * where a user unpacks it.
 */
function knownStart(known: AgentSpec, start: Start | undefined, isInstalled: boolean): AgentSpec {
  if (!start) return known;
  const env = { ...start.env, ...known.env };
  if (isInstalled) {
    const args = start.args.length > 0 ? start.args : known.args;
    return { ...known, args, env, ...present({ installHint: start.installHint }) };
  }
  const installHint = [known.installHint, start.installHint].filter(Boolean).join(' Or: ');
  return { ...known, env, installHint, unpacked: { command: start.command, args: start.args } };
}

/** A package without its version. */
const bareName = (wanted: string): string => wanted.replace(/(?<=.)(@|==|>=|~=|\[).*$/, '');

type Start = Pick<AgentSpec, 'command' | 'args' | 'env' | 'installHint'>;

/** A package's program has the package's name, unless the entry says otherwise. */
function packageStart(raw: unknown, install: string): Start | undefined {
  const entry = asRecord(raw);
  const wanted = asNonEmptyString(entry['package']);
  if (wanted === undefined) return undefined;
  return {
    command: asNonEmptyString(entry['cmd']) ?? basename(bareName(wanted)),
    ...invocation(entry),
    installHint: `Run \`${install} ${wanted}\` in a terminal.`,
  };
}

function binaryStart(id: string, raw: unknown, { platform, agentsDir }: RegistryOptions): Start | undefined {
  const build = asRecord(raw)[platform];
  const cmd = isRecord(build) ? asNonEmptyString(build['cmd']) : undefined;
  if (!isRecord(build) || cmd === undefined) return undefined;
  const folder = join(agentsDir, id);
  return {
    command: join(folder, cmd),
    ...invocation(build),
    installHint: `Unpack ${asNonEmptyString(build['archive']) ?? 'its archive'} into ${folder}.`,
  };
}

function invocation(entry: Loose): Pick<AgentSpec, 'args' | 'env'> {
  const env = Object.entries(asRecord(entry['env'])).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  return { args: asTexts(entry['args']), env: Object.fromEntries(env) };
}

const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };
const systems: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/** This machine, as the registry spells it. */
export const registryPlatform = (platform: string = process.platform, architecture: string = process.arch): string =>
  `${systems[platform] ?? platform}-${architectures[architecture] ?? architecture}`;
