import type { ConnectOptions } from '@liminal/client/server-link';
import type { Invocation } from './base/command.ts';
import { type ExitCode, exitCodes } from './base/exit-codes.ts';
import { getText } from './base/get-text.ts';
import { findServer } from './base/server-access.ts';
import { createTerminal } from './base/terminal.ts';
import { timeoutOf } from './base/timeout-of.ts';
import { commands, serverCommands } from './command-table.ts';
import { commandHelp, helpText } from './help.ts';
import { parseCommand } from './parse-command.ts';

type World = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'> & { readonly cwd: string };

const nearest = (name: string): string | undefined =>
  Object.keys(commands).find((known) => known.startsWith(name.slice(0, 2)));

/** Runs one command, from its arguments to its exit code. Loads only what the command needs. */
export async function runCli(args: readonly string[], world: World): Promise<ExitCode> {
  const [name = 'help', ...rest] = args;
  const isJson = args.includes('--json');
  const terminal = createTerminal(world.stdout, world.stderr, world.env, isJson);
  const misused = (message: string): ExitCode => {
    terminal.complain({ code: 'USAGE', message });
    return exitCodes.usage;
  };
  if (name === 'help' || name === '--help' || name === '-h') return printHelp(rest[0], terminal.line, misused);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const known = nearest(name);
    const guess = known === undefined ? '' : ` Did you mean \`liminal ${known}\`?`;
    return misused(`"${name}" is not a command.${guess} \`liminal help\` lists them.`);
  }
  const parsed = parseCommand(command, rest);
  if (!parsed.ok) return misused(`${parsed.sentence} \`liminal help ${name}\` says more.`);
  if (parsed.has('help')) return printHelp(name, terminal.line, misused);
  // Before the command does anything that can't be undone.
  if (timeoutOf(parsed.flag('timeout')) === null) return misused('--timeout takes a number of seconds above 0.');
  const withServer = async <T>(open: (server: ConnectOptions) => Promise<T>): Promise<T | null> => {
    const found = findServer(parsed.flag('data-dir'), world.env);
    if (found.ok) return open(found.value);
    terminal.complain(found.failure);
    return null;
  };
  const client: Invocation['client'] = () =>
    withServer(async (server) => (await import('@liminal/client/connect')).connect(server));
  const lightClient: Invocation['lightClient'] = () =>
    withServer(async (server) => (await import('@liminal/client/connect-light')).connectLight(server, getText));
  const { run } = await command.load();
  return run({ ...parsed, terminal, env: world.env, cwd: world.cwd, client, lightClient });
}

function printHelp(
  name: string | undefined,
  line: (text: string) => void,
  misused: (message: string) => ExitCode,
): ExitCode {
  const all = { ...serverCommands, ...commands };
  const command = name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined;
  if (name !== undefined && command && !name.startsWith('-')) line(commandHelp(name, command));
  else if (name === undefined || name.startsWith('-')) line(helpText());
  else return misused(`"${name}" is not a command. \`liminal help\` lists them.`);
  return exitCodes.done;
}
