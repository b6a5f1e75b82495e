import { claudeFits } from '@liminal/domain/agents/addable-agents';
import { bringsAgents } from '../../program/agent-packages.ts';
import { findOnPath, versionOfProgram } from '../kit/program-on-path.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Look = { readonly isBundled?: boolean; readonly findVersion?: (file: string) => string | undefined };

const usualVersion = (file: string): string | undefined => versionOfProgram(file, '@anthropic-ai/claude-code');

/**
 * Where no agents come along, the Claude Code on the PATH is the one to use, if it fits the SDK this build was tested
 * with. One that a user named comes before it.
 */
export function withClaudeOnPath(
  env: Environment,
  { isBundled = bringsAgents, findVersion = usualVersion }: Look = {},
): Environment {
  if (isBundled || env['LIMINAL_CLAUDE_PATH']) return env;
  const found = findOnPath('claude', env['PATH'] ?? '');
  const version = found === undefined ? undefined : findVersion(found);
  return found !== undefined && version !== undefined && claudeFits(version)
    ? { ...env, LIMINAL_CLAUDE_PATH: found }
    : env;
}
