import type { Command, Option } from './base/command.ts';
import { commands, commonOptions, serverCommands } from './command-table.ts';

const rows = (table: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...table.map(([left]) => left.length)) + 2;
  return table.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
};
const written = ([name, option]: readonly [string, Option]): readonly [string, string] => [
  `--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
  option.text,
];
const line = ([name, { usage, summary }]: readonly [string, Pick<Command, 'usage' | 'summary'>]): readonly [
  string,
  string,
] => [`${name} ${usage}`.trim(), summary];

const exits = [
  ['0', 'Done'],
  ['1', 'The command failed'],
  ['2', 'The command or its options are invalid'],
  ['3', 'The session is waiting for an answer'],
  ['4', 'The turn failed or was stopped'],
  ['124', '--timeout ran out'],
] as const;

const variables = [
  ['LIMINAL_DATA_DIR', 'As --data-dir (default ~/.liminal-builder)'],
  ['LIMINAL_URL, LIMINAL_TOKEN', 'Talk to a server elsewhere: its address and access token'],
  ['NO_COLOR', 'No colours'],
] as const;

/** The output of `liminal help`. */
export const helpText = (): string =>
  [
    'Liminal Builder: a workbench in the browser for coding agents',
    '',
    'Usage: liminal COMMAND [OPTIONS]',
    '',
    'Commands:',
    rows([...Object.entries(serverCommands), ...Object.entries(commands)].map(line)),
    '',
    'SESSION is the id of a session or the beginning of one.',
    '`liminal help COMMAND` says more. Without a command, `liminal` starts the server.',
    '',
    'Options of every command:',
    rows(Object.entries(commonOptions).map(written)),
    '',
    'Environment variables:',
    rows(variables),
    '',
    'Exit codes:',
    rows(exits),
  ].join('\n');

/** The output of `liminal help COMMAND`. */
export function commandHelp(name: string, { usage, summary, options = {}, more = [] }: Omit<Command, 'load'>): string {
  return [
    `Usage: liminal ${`${name} ${usage}`.trim()} [OPTIONS]`,
    '',
    `${summary}.`,
    ...more,
    '',
    'Options:',
    rows(Object.entries({ ...options, ...commonOptions }).map(written)),
  ].join('\n');
}
