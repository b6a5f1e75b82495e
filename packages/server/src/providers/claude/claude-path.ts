import { claudeFits } from '@liminal/domain/agents/addable-agents';
import { bundlesAgents } from '../../program/agent-packages.ts';
import { findOnPath, versionOfProgram } from '../kit/program-on-path.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Look = { readonly isBundled?: boolean; readonly findVersion?: (file: string) => string | undefined };

const usualVersion = (file: string): string | undefined => versionOfProgram(file, '@anthropic-ai/claude-code');

/**
 * If no agents are bundled, uses the Claude Code in PATH, provided it fits the SDK this build was tested with. One that
 * the user named takes precedence.
 */
export function withClaudeOnPath(
  env: Environment,
  { isBundled = bundlesAgents, findVersion = usualVersion }: Look = {},
): Environment {
  if (isBundled || env['LIMINAL_CLAUDE_PATH']) return env;
  const found = findOnPath('claude', env['PATH'] ?? '');
  const version = found === undefined ? undefined : findVersion(found);
  return found !== undefined && version !== undefined && claudeFits(version)
    ? { ...env, LIMINAL_CLAUDE_PATH: found }
    : env;
}
