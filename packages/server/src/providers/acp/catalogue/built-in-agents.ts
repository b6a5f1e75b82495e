import { dirname, join } from 'node:path';
import { addAgentHint, resolveAgentFile } from '../../../program/agent-packages.ts';
import { ownEntry } from '../../../program/program-files.ts';
import { acpCapabilities, type AgentSpec } from './agent-spec.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The scripted agent that needs no account; it uses the same provider as any other. `demoFolder` is the scratch
 * project, the only place where it touches files.
 */
export function demoAgent(demoFolder = ''): AgentSpec {
  return {
    id: 'demo',
    name: 'Demo agent',
    command: process.execPath,
    args: [ownEntry('providers/demo/demo-agent')],
    env: { LIMINAL_DEMO_FOLDER: demoFolder },
    family: 'demo',
    // It reads nothing in the user's folder.
    capabilities: {
      ...acpCapabilities,
      discover: false,
      images: false,
      efforts: false,
      fork: true,
      forkAtTurn: true,
      untrustedFolders: true,
    },
  };
}

/** Codex, through its ACP adapter, which includes the Codex binary. */
export function codexAgent(env: Environment): AgentSpec {
  const defaultModeId = env['INITIAL_AGENT_MODE'] || 'workspace-write';
  const own = join(packageFolder('@openai/codex'), '..', '..', '.bin', 'codex');
  return {
    id: 'codex',
    name: 'Codex',
    command: process.execPath,
    args: [join(packageFolder('@agentclientprotocol/codex-acp'), 'dist', 'index.js')],
    // Its own default mode lets a reviewer model approve in the user's place (decision 19).
    env: { NO_BROWSER: '1', INITIAL_AGENT_MODE: defaultModeId },
    family: 'codex',
    capabilities: { ...acpCapabilities, steer: true, fork: true, forkAtTurn: true, prepare: true },
    defaultModeId,
    appServer: env['CODEX_PATH']
      ? { command: env['CODEX_PATH'], args: ['app-server'] }
      : {
          command: process.execPath,
          args: [join(packageFolder('@openai/codex'), 'bin', 'codex.js'), 'app-server'],
        },
    login: {
      command: `${env['CODEX_PATH'] || own} login`,
      program: env['CODEX_PATH']
        ? { command: env['CODEX_PATH'], args: ['login'] }
        : { command: process.execPath, args: [join(packageFolder('@openai/codex'), 'bin', 'codex.js'), 'login'] },
      keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    },
    installHint: addAgentHint('codex'),
  };
}

export const builtInAgents = (env: Environment, demoFolder?: string): readonly AgentSpec[] => [
  codexAgent(env),
  demoAgent(demoFolder),
];

/** A package's folder. If the package isn't installed the path doesn't exist, which `availability` reports. */
function packageFolder(name: string): string {
  try {
    return dirname(resolveAgentFile(`${name}/package.json`));
  } catch {
    return join('/not-installed', name);
  }
}
