import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Our variables, npm's, and those that would make a program believe it runs inside an agent. */
const left =
  /^(npm_|LIMINAL_|INIT_CWD$|NODE_COMPILE_CACHE$|NODE_OPTIONS$|CLAUDECODE$|CLAUDE_CODE_(ENTRYPOINT|SSE_PORT)$)/;

/** The environment of the user's own terminal, without what we and npm added. */
export function terminalEnvironment(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && !left.test(name)) kept[name] = value;
  return { ...kept, TERM: 'xterm-256color', COLORTERM: 'truecolor' };
}

const noShells = new Set(['nologin', 'false', 'true', 'sync', 'halt']);

/** The user's shell, or a common one if theirs can't start. */
export function personShell(env: Environment, own: () => string | null = () => userInfo().shell): string {
  const starts = (path: string | null | undefined): path is string =>
    typeof path === 'string' && path.startsWith('/') && !noShells.has(basename(path)) && existsSync(path);
  return [env['SHELL'], own(), '/bin/bash'].find(starts) ?? '/bin/sh';
}

/**
 * Makes bash mark where a prompt, a command and its output begin (OSC 133), so a page can find the last command. Other
 * shells do so themselves, or the page uses the Enter key.
 */
export function withCommandMarks(
  shell: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (basename(shell) !== 'bash') return env;
  const atPrompt = String.raw`printf '\e]133;D;%s\e\\\e]133;A\e\\' "$?"`;
  const own = env['PROMPT_COMMAND'];
  return {
    ...env,
    PROMPT_COMMAND: own === undefined || own === '' ? atPrompt : `${atPrompt}; ${own}`,
    PS0: `${env['PS0'] ?? ''}${String.raw`\e]133;C\e\\`}`,
  };
}
