import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Availability } from '../provider.ts';
import type { AgentSpec } from './agent-spec.ts';

const can = (file: string, mode: number): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

/** Is the agent's program there, and if not, what should the person do? */
export async function availabilityOf(spec: AgentSpec, path: string): Promise<Availability> {
  const places = spec.command.includes('/')
    ? [spec.command]
    : path.split(delimiter).map((folder) => join(folder, spec.command));
  // An agent that is a script is missing when the script is, whatever runs it.
  const scripts = spec.args.filter((argument) => isAbsolute(argument) && /\.[cm]?[jt]s$/.test(argument));
  const hasCommand = (await Promise.all(places.map((file) => can(file, constants.X_OK)))).some(Boolean);
  const hasScripts = (await Promise.all(scripts.map((file) => can(file, constants.R_OK)))).every(Boolean);
  if (hasCommand && hasScripts) return { available: true };
  const hint = spec.installHint ?? `Install it so that "${spec.command}" can be found, or correct its command.`;
  return { available: false, reason: `${spec.name} is not installed here. ${hint}` };
}
