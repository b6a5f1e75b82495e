import { readFileSync } from 'node:fs';
import { bringsAgents, resolveAgentFile } from '../../program/agent-packages.ts';
import { findOnPath, versionOfProgram } from '../kit/program-on-path.ts';
import { asNonEmptyString, asRecord } from '../kit/read-json.ts';
import { bundledBinary, isKnownVersion, versionSentence } from './process/codex-program.ts';

/** How Codex is spoken to, and where that is not the usual way, why. */
export type CodexPath = { readonly kind: 'native' } | { readonly kind: 'acp'; readonly notice?: string };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Its own protocol, where its version is one this build was tested with; else its adapter, with a sentence that says so.
 * `LIMINAL_CODEX` decides otherwise.
 */
export function codexPath(env: Environment, findVersion = versionOf): CodexPath {
  if (env['LIMINAL_CODEX'] === 'acp') return { kind: 'acp' };
  if (env['LIMINAL_CODEX'] === 'native') return { kind: 'native' };
  const version = findVersion(env);
  // None is installed, which its availability says. One that is added later has a version this build was tested with.
  if (version === undefined && !env['CODEX_PATH']) return { kind: 'native' };
  return version !== undefined && isKnownVersion(version)
    ? { kind: 'native' }
    : { kind: 'acp', notice: versionSentence(version) };
}

/**
 * Where no agents come along, the Codex on the PATH is the one to use, if this build was tested with its version. A Codex
 * that a user named comes before it.
 */
export function withCodexOnPath(
  env: Environment,
  { isBundled = bringsAgents, findVersion = versionOf }: { isBundled?: boolean; findVersion?: typeof versionOf } = {},
): Environment {
  if (isBundled || env['CODEX_PATH']) return env;
  const found = findOnPath('codex', env['PATH'] ?? '');
  if (found === undefined) return env;
  const withFound = { ...env, CODEX_PATH: found };
  const version = findVersion(withFound);
  return version !== undefined && isKnownVersion(version) ? withFound : env;
}

function versionOf(env: Environment): string | undefined {
  const own = env['CODEX_PATH'];
  return own ? versionOfProgram(own, '@openai/codex') : bundledVersion();
}

/** The version of the bundled Codex, as its package says it. */
export function bundledVersion(): string | undefined {
  try {
    if (bundledBinary() === undefined) return undefined;
    const file = resolveAgentFile('@openai/codex/package.json');
    return asNonEmptyString(asRecord(JSON.parse(readFileSync(file, 'utf8')))['version']);
  } catch {
    return undefined;
  }
}
