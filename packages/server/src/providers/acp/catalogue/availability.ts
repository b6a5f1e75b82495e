import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Availability } from '../../provider.ts';
import type { AgentSpec } from './agent-spec.ts';
import { findAgent } from './find-program.ts';

const canRead = (file: string): Promise<boolean> =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  );

/** Is the agent's program there, and if not, what should the person do? */
export async function availabilityOf(spec: AgentSpec, path: string): Promise<Availability> {
  // An agent that is a script is missing when the script is, whatever runs it.
  const program = await findAgent(spec, path);
  const scripts = (program ?? spec).args.filter((argument) => isAbsolute(argument) && /\.[cm]?[jt]s$/.test(argument));
  const hasScripts = (await Promise.all(scripts.map(canRead))).every(Boolean);
  if (program !== undefined && hasScripts) return { available: true };
  const hint = spec.installHint ?? `Install it so that "${spec.command}" can be found, or correct its command.`;
  return { available: false, reason: `${spec.name} is not installed here. ${hint}` };
}
