import { readFileSync } from 'node:fs';
import { bundlesAgents, resolveAgentFile } from '../../program/agent-packages.ts';
import { findOnPath, versionOfProgram } from '../kit/program-on-path.ts';
import { asNonEmptyString, asRecord } from '../kit/read-json.ts';
import { bundledBinary, isKnownVersion, versionSentence } from './process/codex-program.ts';

/** How we connect to Codex, and if not in the usual way, why. */
export type CodexPath = { readonly kind: 'native' } | { readonly kind: 'acp'; readonly notice?: string };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Codex's own protocol if this build was tested with the installed version; otherwise its adapter, with a notice.
 * `LIMINAL_CODEX` overrides this.
 */
export function codexPath(env: Environment, findVersion = versionOf): CodexPath {
  if (env['LIMINAL_CODEX'] === 'acp') return { kind: 'acp' };
  if (env['LIMINAL_CODEX'] === 'native') return { kind: 'native' };
  const version = findVersion(env);
  // No Codex is installed, which `availability` reports. One added later has a version this build was tested with.
  if (version === undefined && !env['CODEX_PATH']) return { kind: 'native' };
  return version !== undefined && isKnownVersion(version)
    ? { kind: 'native' }
    : { kind: 'acp', notice: versionSentence(version, 'It is used through its adapter.') };
}

/**
 * If no agents are bundled, uses the Codex in PATH, provided this build was tested with its version. A Codex that the
 * user named takes precedence.
 */
export function withCodexOnPath(
  env: Environment,
  { isBundled = bundlesAgents, findVersion = versionOf }: { isBundled?: boolean; findVersion?: typeof versionOf } = {},
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

/** The version of the bundled Codex, from its package. */
export function bundledVersion(): string | undefined {
  try {
    if (bundledBinary() === undefined) return undefined;
    const file = resolveAgentFile('@openai/codex/package.json');
    return asNonEmptyString(asRecord(JSON.parse(readFileSync(file, 'utf8')))['version']);
  } catch {
    return undefined;
  }
}
