import type { AgentFamily } from '../../../processes/agent-environment.ts';
import { acpCapabilities, type AgentLogin, type AgentSpec } from './agent-spec.ts';

type KnownAgent = {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The npm package that contains the command. */
  readonly npm: string;
  readonly login: AgentLogin;
  readonly family?: AgentFamily;
  readonly ownVariables?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly can?: Partial<AgentSpec['capabilities']>;
  readonly withheld?: NonNullable<AgentSpec['withheld']>;
  readonly usesFiles?: boolean;
};

/** Third-party agents, found if installed. Their guessed capabilities are corrected when they first run. */
const known: readonly KnownAgent[] = [
  {
    id: 'opencode',
    name: 'opencode',
    command: 'opencode',
    args: ['acp'],
    npm: 'opencode-ai',
    login: { command: 'opencode auth login' },
    family: 'any',
    ownVariables: ['OPENCODE_'],
    can: { fork: true },
    usesFiles: true,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    npm: '@google/gemini-cli',
    login: { command: 'gemini', keys: ['GEMINI_API_KEY'] },
    family: 'gemini',
    can: { discover: false, efforts: false },
    // It treats every refusal of ours as a failed check and then creates no file, so it handles files itself.
    usesFiles: false,
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    npm: '@qwen-code/qwen-code',
    login: { command: 'qwen' },
    family: 'any',
    ownVariables: ['QWEN_', 'DASHSCOPE_'],
    can: { efforts: false },
    usesFiles: true,
  },
  {
    id: 'claude-agent-acp',
    name: 'Claude Agent (ACP)',
    command: 'claude-agent-acp',
    args: [],
    npm: '@agentclientprotocol/claude-agent-acp',
    login: { command: 'claude /login' },
    family: 'claude',
    can: { steer: true, fork: true },
    // Its sessions are those of Claude Code, which has its own provider.
    withheld: ['discover'],
  },
  {
    id: 'copilot',
    name: 'GitHub Copilot CLI',
    command: 'copilot',
    args: ['--acp'],
    npm: '@github/copilot',
    login: { command: 'copilot login' },
    ownVariables: ['COPILOT_'],
    can: { discover: false },
  },
  {
    id: 'auggie',
    name: 'Auggie',
    command: 'auggie',
    args: ['--acp'],
    npm: '@augmentcode/auggie',
    login: { command: 'auggie login' },
    ownVariables: ['AUGMENT_'],
    env: { AUGMENT_DISABLE_AUTO_UPDATE: '1' },
    can: { discover: false },
  },
  {
    id: 'cline',
    name: 'Cline',
    command: 'cline',
    args: ['--acp'],
    npm: 'cline',
    login: { command: 'cline auth' },
    family: 'any',
    ownVariables: ['CLINE_'],
    can: { discover: false },
  },
  {
    id: 'kimi-code',
    name: 'Kimi Code',
    command: 'kimi',
    args: ['acp'],
    npm: '@moonshot-ai/kimi-code',
    login: { command: 'kimi login' },
    ownVariables: ['KIMI_', 'MOONSHOT_'],
    usesFiles: true,
  },
];

const specOf = ({ npm, can = {}, env = {}, family = 'none', ...agent }: KnownAgent): AgentSpec => ({
  ...agent,
  env,
  family,
  capabilities: { ...acpCapabilities, ...can },
  installHint: `Run \`npm install --global ${npm}\` in a terminal.`,
});

export const knownAgents: readonly AgentSpec[] = known.map(specOf);

/** Our own id for an agent, by its npm package, whatever others call it. */
export const idsByPackage: ReadonlyMap<string, string> = new Map([
  ...known.map(({ npm, id }) => [npm, id] as const),
  ['@agentclientprotocol/codex-acp', 'codex'],
]);
