/** What `liminal agents add` installs: the versions this build was tested with. */
export const agentPackages = {
  claude: { '@anthropic-ai/claude-agent-sdk': '0.3.325' },
  codex: { '@agentclientprotocol/codex-acp': '2.6.0' },
} as const satisfies Record<string, Record<string, string>>;

export type AddableAgent = keyof typeof agentPackages;

export const isAddable = (name: string): name is AddableAgent => Object.hasOwn(agentPackages, name);

/** How npm is called for it: no script of a package runs. */
export const installArguments = (agent: AddableAgent, folder: string): string[] => [
  'install',
  '--prefix',
  folder,
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--save-exact',
  ...Object.entries(agentPackages[agent]).map(([name, version]) => `${name}@${version}`),
];
