/** An agent that a user can have installed into the data directory. */
export type AddableAgent = {
  readonly cliType: string;
  readonly name: string;
  /** What is installed: the versions this build was tested with. */
  readonly packages: Readonly<Record<string, string>>;
  /** About how much that is on disk. */
  readonly megabytes: number;
  /** And where the program itself is on the machine already. */
  readonly megabytesWithout: number;
};

export const addableAgents = {
  claude: {
    cliType: 'claude-code',
    name: 'Claude Code',
    packages: { '@anthropic-ai/claude-agent-sdk': '0.3.325' },
    megabytes: 390,
    megabytesWithout: 40,
  },
  codex: {
    cliType: 'codex',
    name: 'Codex',
    packages: { '@agentclientprotocol/codex-acp': '2.6.0' },
    megabytes: 450,
    megabytesWithout: 15,
  },
} as const satisfies Record<string, AddableAgent>;

export type AddableName = keyof typeof addableAgents;

const names = Object.keys(addableAgents) as AddableName[];

/** The agent a user means, by the short name of the command line or by its id. */
export const addableName = (given: string): AddableName | undefined =>
  names.find((name) => name === given || addableAgents[name].cliType === given);

/** The Claude Code that belongs to the SDK above. */
export const testedClaude = '2.1.325';

/** A newer Claude Code understands what an older SDK says; an older one may not know what it is asked. */
export function claudeFits(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbers(version);
  const [testedMajor = 0, testedMinor = 0, testedPatch = 0] = numbers(testedClaude);
  if (major !== testedMajor) return false;
  return minor !== testedMinor ? minor > testedMinor : patch >= testedPatch;
}

const numbers = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10));

/**
 * How an agent is installed: npm fills a folder beside the one it will be in, which then takes its place. An installation
 * that breaks off leaves nothing that looks whole.
 */
export type InstallPlan = {
  readonly folder: string;
  readonly staging: string;
  /** Without one, npm would look for a project in the folders above. */
  readonly manifest: string;
  /** No script of a package runs. */
  readonly args: readonly string[];
};

/** Where all of them are, below the data directory. */
export const addedAgents = 'agents/added';

/** `hasProgram`: the agent itself is on the machine; only what is needed to talk to it is installed. */
export function planInstall(name: AddableName, dataDir: string, hasProgram = false): InstallPlan {
  const folder = `${dataDir}/${addedAgents}/${name}`;
  const staging = `${folder}.new`;
  const packages = Object.entries(addableAgents[name].packages).map(([each, version]) => `${each}@${version}`);
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--save-exact',
    ...(hasProgram ? ['--omit=optional'] : []),
  ];
  return {
    folder,
    staging,
    manifest: '{ "private": true }\n',
    args: ['install', '--prefix', staging, ...flags, ...packages],
  };
}

/** What to do when npm failed, from what it said. */
export function describeInstallFailure(name: AddableName, said: string): string {
  const { megabytes } = addableAgents[name];
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET/.test(said))
    return "The npm registry can't be reached. Check the network and npm's proxy settings, then try again.";
  if (/ENOSPC/.test(said)) return `The disk is full. Free about ${megabytes} MB, then try again.`;
  if (/EACCES|EPERM|EROFS/.test(said))
    return 'npm isn’t allowed to write to the data directory. Check its permissions, then try again.';
  if (/E404|ETARGET|ENOVERSIONS/.test(said))
    return "The npm registry doesn't have the package. If npm uses a mirror, check that it carries it.";
  if (/E401|E403/.test(said)) return 'The npm registry refused. Sign in to it with `npm login`, then try again.';
  const line = /npm (?:error|ERR!) (?!code\b)(.+)/.exec(said)?.[1] ?? 'npm failed.';
  return `${line.slice(0, 300)} Run \`liminal agents add ${name}\` in a terminal to see all of what npm says.`;
}
