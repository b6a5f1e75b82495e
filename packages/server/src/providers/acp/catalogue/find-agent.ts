import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { programFolder } from '../../../program/program-files.ts';
import type { Availability, SignInProgram } from '../../provider.ts';
import type { AgentSpec } from './agent-spec.ts';

/** Where npm puts the programs of our own packages. */
const ownPrograms = join(programFolder, 'node_modules/.bin');

/** How to start an agent: as installed, or else as unpacked. */
export async function findAgent(
  { command, args, unpacked }: Pick<AgentSpec, 'command' | 'args' | 'unpacked'>,
  path: string,
): Promise<{ readonly command: string; readonly args: readonly string[] } | undefined> {
  const installed = await findProgram(command, path);
  if (installed !== undefined) return { command: installed, args };
  const other = unpacked && (await findProgram(unpacked.command, path));
  return unpacked && other !== undefined ? { command: other, args: unpacked.args } : undefined;
}

/** Whether the agent's program exists, and if not, what the user should do. */
export async function availabilityOf(spec: AgentSpec, path: string): Promise<Availability> {
  // An agent that is a script is missing if the script is, whatever runs it.
  const program = await findAgent(spec, path);
  const scripts = (program ?? spec).args.filter((argument) => isAbsolute(argument) && /\.[cm]?[jt]s$/.test(argument));
  const hasScripts = (await Promise.all(scripts.map(canRead))).every(Boolean);
  if (program !== undefined && hasScripts) return { available: true };
  const hint = spec.installHint ?? `Install it so that "${spec.command}" is in PATH, or correct its command.`;
  return { available: false, reason: `${spec.name} isn't installed. ${hint}` };
}

/** The program of an agent's own sign-in; undefined if it has none or it isn't installed. */
export async function findSignIn(
  { login = {} }: Pick<AgentSpec, 'login'>,
  path: string,
): Promise<SignInProgram | undefined> {
  const [typed = '', ...args] = (login.command ?? '').split(' ').filter((part) => part !== '');
  const program = login.program ?? { command: typed, args };
  const command = program.command === '' ? undefined : await findProgram(program.command, path);
  return command === undefined ? undefined : { command, args: program.args };
}

/**
 * The file of a command: a path, or a name found in PATH or among our own packages. Relative folders are skipped: a
 * relative path would be looked up in the project folder, whose own file would then run.
 */
async function findProgram(command: string, path: string): Promise<string | undefined> {
  const places = command.includes('/')
    ? [command.replace(/^~(?=\/)/, homedir())]
    : [...path.split(delimiter).filter(isAbsolute), ownPrograms].map((folder) => join(folder, command));
  for (const place of places) if (await isProgram(place)) return place;
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

const canRead = (file: string): Promise<boolean> =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
