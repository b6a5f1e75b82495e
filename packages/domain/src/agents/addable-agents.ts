/** An agent that the server can install into the data directory. */
export type AddableAgent = {
  readonly cliType: string;
  readonly name: string;
  /** The packages to install, in the versions this build was tested with. */
  readonly packages: Readonly<Record<string, string>>;
  /** Their approximate size on disk. */
  readonly megabytes: number;
  /** The same without the program itself, for a machine that already has it. */
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

/** Finds an agent by its short name on the command line or by its id. */
export const addableName = (given: string): AddableName | undefined =>
  names.find((name) => name === given || addableAgents[name].cliType === given);

/** The Claude Code version that belongs to the SDK above. */
export const testedClaude = '2.1.325';

/** Within a major version, a newer Claude Code fits an older SDK. An older one may not understand every request. */
export function claudeFits(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbers(version);
  const [testedMajor = 0, testedMinor = 0, testedPatch = 0] = numbers(testedClaude);
  if (major !== testedMajor) return false;
  return minor !== testedMinor ? minor > testedMinor : patch >= testedPatch;
}

const numbers = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10));

/**
 * How to install an agent: npm fills a temporary folder that then replaces the old one. An interrupted installation
 * leaves nothing that looks complete.
 */
export type InstallPlan = {
  readonly folder: string;
  readonly staging: string;
  /** Without one, npm would look for a project in the parent folders. */
  readonly manifest: string;
  /** No package script runs. */
  readonly args: readonly string[];
};

/** The folder of all installed agents, below the data directory. */
export const addedAgents = 'agents/added';

/**
 * `by`: the page and the command may install the same agent at the same time. `hasProgram`: the machine has the agent
 * itself; install only what is needed to talk to it.
 */
export function planInstall(
  name: AddableName,
  dataDir: string,
  { by, hasProgram = false }: { readonly by: 'page' | 'command'; readonly hasProgram?: boolean },
): InstallPlan {
  const folder = `${dataDir}/${addedAgents}/${name}`;
  const staging = `${folder}.new-by-${by}`;
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

/** What to do after npm failed, based on its output. */
export function describeInstallFailure(name: AddableName, said: string): string {
  const { megabytes } = addableAgents[name];
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET/.test(said))
    return "The npm registry can't be reached. Check the network and npm's proxy settings, then try again.";
  if (/ENOSPC/.test(said)) return `The disk is full. Free about ${megabytes} MB, then try again.`;
  if (/EACCES|EPERM|EROFS/.test(said))
    return 'npm isn’t allowed to write to the data directory. Check its permissions, then try again.';
  if (/E404|ETARGET|ENOVERSIONS/.test(said))
    return "The npm registry doesn't have the package. If npm uses a mirror, check that the mirror has it.";
  if (/E401|E403/.test(said)) return 'The npm registry denied access. Sign in with `npm login`, then try again.';
  const line = /npm (?:error|ERR!) (?!code\b)(.+)/.exec(said)?.[1] ?? 'npm failed.';
  return `${line.slice(0, 300)} Run \`liminal agents add ${name}\` in a terminal to see npm's full output.`;
}
