import { parseArgs } from 'node:util';
import { programVersion } from '../program/program-files.ts';

/** Every flag of the program. The parser, the usage line and `--help` are made from this one table. */
const flags = {
  port: { type: 'string', value: 'N', text: 'Port to listen on; 0 picks a free one (default 4747)' },
  host: {
    type: 'string',
    value: 'ADDRESS',
    text: 'Address to listen on (default 127.0.0.1); any other than loopback needs LIMINAL_TOKEN',
  },
  'data-dir': {
    type: 'string',
    value: 'DIR',
    text: 'Where sessions and settings are kept (default ~/.liminal-builder)',
  },
  'no-open': { type: 'boolean', value: '', text: "Don't open the browser" },
  json: { type: 'boolean', value: '', text: 'Print one line of JSON when ready; implies --no-open' },
  redis: { type: 'string', value: 'URL', text: 'Redis server that connects several machines' },
  name: { type: 'string', value: 'NAME', text: 'Name of this machine among several (default: its host name)' },
  help: { type: 'boolean', value: '', text: 'Print this help' },
  version: { type: 'boolean', value: '', text: 'Print the version' },
} as const;

const short = { help: 'h', version: 'v' } as const;

const commands = [
  ['npm start -- [flags]', 'Start the server and open it in the browser'],
  ['npx liminal [flags]', 'The same, without building anything first'],
  ['npx liminal token show', 'Print the address with its access token'],
  ['npx liminal token rotate', 'Replace the access token and close every connection'],
  ['npx liminal backup [FILE]', 'Copy all sessions and settings to a file'],
  ['npx liminal help', 'List the commands that work with a running server'],
] as const;

/** The environment variables users need most often. */
const variables = [
  ['LIMINAL_PORT', 'As --port'],
  ['LIMINAL_DATA_DIR', 'As --data-dir'],
  ['LIMINAL_TOKEN', 'Access token to use instead of a random one'],
  ['LIMINAL_AGENT_ENV', 'Additional environment variables for agents, as comma-separated names'],
  ['LIMINAL_LOG', 'Log level on stderr: trace, debug, info, warn (default), error, silent'],
] as const;

const written = (name: keyof typeof flags): string =>
  flags[name].value === '' ? `--${name}` : `--${name} ${flags[name].value}`;
const names = Object.keys(flags) as (keyof typeof flags)[];

/** The usage line, with every flag. */
export const usage = `npm start -- ${names.map((name) => `[${written(name)}]`).join(' ')}`;

const rows = (table: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...table.map(([left]) => left.length)) + 2;
  return table.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
};

export const helpText = [
  'Liminal Builder: a workbench in the browser for coding agents',
  '',
  'Usage:',
  rows(commands),
  '',
  'Flags:',
  rows(
    names.map((name): readonly [string, string] => {
      const letter = name === 'help' || name === 'version' ? `, -${short[name]}` : '';
      return [`${written(name)}${letter}`, flags[name].text];
    }),
  ),
  '',
  'Environment variables (more in README.md and docs/cluster.md):',
  rows(variables),
].join('\n');

/** Parses the flags. Returns an error message if they aren't valid. */
export function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...flags,
        help: { ...flags.help, short: short.help },
        version: { ...flags.version, short: short.version },
      },
    }).values;
  } catch (error) {
    // Node's message names the flag. After the first full stop it gives advice for programmers.
    return (error as Error).message.split('. ')[0]?.concat('.') ?? "The flags aren't valid.";
  }
}

/** The output of `--help` or `--version`, which may be anywhere in the arguments. Null if neither is given. */
export function requestedInformation(args: readonly string[]): string | null {
  if (args.includes('--help') || args.includes('-h') || args[0] === 'help') return helpText;
  if (args.includes('--version') || args.includes('-v')) return programVersion();
  return null;
}
