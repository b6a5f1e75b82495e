import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolveAgentFile } from '../../../program/agent-packages.ts';
import { dirname, join } from 'node:path';
import { behindLinks } from '../../kit/program-on-path.ts';
import { codexAgent } from '../../acp/catalogue/built-in-agents.ts';
import type { AgentDeps } from '../../acp/connection/agent-deps.ts';
import type { AgentSpec } from '../../acp/catalogue/agent-spec.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const targets: Readonly<Record<string, { readonly name: string; readonly triple: string }>> = {
  'linux-x64': { name: '@openai/codex-linux-x64', triple: 'x86_64-unknown-linux-musl' },
  'linux-arm64': { name: '@openai/codex-linux-arm64', triple: 'aarch64-unknown-linux-musl' },
  'darwin-x64': { name: '@openai/codex-darwin-x64', triple: 'x86_64-apple-darwin' },
  'darwin-arm64': { name: '@openai/codex-darwin-arm64', triple: 'aarch64-apple-darwin' },
};

/**
 * Codex through its own protocol, with the same modes, login and name as through its adapter. Its location is looked up
 * each time: a user may install it while the server runs.
 */
export function codexServer(env: Environment): CodexSpec {
  const { capabilities, ...agent } = codexAgent(env);
  const server = (): CodexSpec['server'] => {
    const binary = env['CODEX_PATH'] ? binaryBehind(env['CODEX_PATH']) : bundledBinary();
    if (binary !== undefined) return { command: binary, args: ['app-server'] };
    return codexAgent(env).appServer ?? { command: 'codex', args: ['app-server'] };
  };
  return {
    ...agent,
    capabilities: { ...capabilities, steer: true, fork: true },
    get server() {
      return server();
    },
    get command() {
      return server().command;
    },
    get args() {
      return server().args;
    },
    get login() {
      return codexAgent(env).login ?? {};
    },
  };
}

/** The binary behind npm's wrapper script; the file itself if it isn't such a script. */
export function binaryBehind(file: string): string {
  const script = behindLinks(file);
  return (script.endsWith('.js') ? binaryBeside(script) : undefined) ?? file;
}

/** The binary itself: npm's wrapper script would cost an extra process for every session. */
export function bundledBinary(): string | undefined {
  try {
    return binaryBeside(resolveAgentFile('@openai/codex/package.json'));
  } catch {
    return undefined;
  }
}

/** The binary for this machine that was installed beside a file of Codex's package. */
function binaryBeside(file: string): string | undefined {
  const target = targets[`${process.platform}-${process.arch}`];
  if (!target) return undefined;
  try {
    const codex = createRequire(file);
    const binary = join(dirname(codex.resolve(`${target.name}/package.json`)), 'vendor', target.triple, 'bin', 'codex');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** The outside dependencies of this provider: those of other agents, and how to start Codex. */
export type CodexDeps = AgentDeps & { readonly spec: CodexSpec };

/** Codex as an agent, started as its own server. */
export type CodexSpec = AgentSpec & { readonly server: { readonly command: string; readonly args: readonly string[] } };

/** Codex changes its own protocol between versions. This build was tested with these. */
const known = [/^0\.166\./];

export const isKnownVersion = (version: string): boolean => known.some((pattern) => pattern.test(version));

/** The second sentence says what follows from it. */
export const versionSentence = (version: string | undefined, then: string): string =>
  `Codex ${version ?? 'of an unknown version'} may use a different protocol than this version of Liminal Builder. ${then}`;
