import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolveAgentFile } from '../../../program/agent-packages.ts';
import { dirname, join } from 'node:path';
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

/** Codex, spoken to in its own protocol. Its modes, login and name are those it has behind its adapter. */
export function codexServer(env: Environment): CodexSpec {
  const agent = codexAgent(env);
  const fallback = agent.appServer ?? { command: 'codex', args: ['app-server'] };
  const binary = env['CODEX_PATH'] || bundledBinary();
  const server = binary === undefined ? fallback : { command: binary, args: ['app-server'] };
  return { ...agent, ...server, server, capabilities: { ...agent.capabilities, steer: true, fork: true } };
}

/** The program itself: the script that npm puts in front of it would cost a process of its own for every session. */
export function bundledBinary(): string | undefined {
  const target = targets[`${process.platform}-${process.arch}`];
  if (!target) return undefined;
  try {
    const codex = createRequire(resolveAgentFile('@openai/codex/package.json'));
    const binary = join(dirname(codex.resolve(`${target.name}/package.json`)), 'vendor', target.triple, 'bin', 'codex');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** What the hands of this provider need from outside: as other agents do, and how Codex is started. */
export type CodexDeps = AgentDeps & { readonly spec: CodexSpec };

/** Codex as an agent, started as its own server. */
export type CodexSpec = AgentSpec & { readonly server: { readonly command: string; readonly args: readonly string[] } };

/** Codex changes its own protocol with its versions. These are the ones whose protocol this build was tested with. */
const known = [/^0\.166\./];

export const isKnownVersion = (version: string): boolean => known.some((pattern) => pattern.test(version));

/** The version in what `initialize` answers (`liminal-builder/0.166.0 (Debian …) …`) or `codex --version` prints. */
export function versionIn(text: string): string | undefined {
  return /(?:^|[/\s])v?(\d+\.\d+\.\d+\S*)/.exec(text)?.[1];
}

export const versionSentence = (version: string | undefined): string =>
  `Codex ${version ?? 'of an unknown version'} may speak another protocol than this version of Liminal Builder, so it is used through its adapter.`;
