import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { programFolder } from './program-files.ts';

/** The repository brings the agents along; a package that a person installed does not. */
export const bringsAgents = existsSync(join(programFolder, 'scripts', 'setup.mjs'));

/** Where `liminal agents add` puts them. One for the whole process, as node_modules is. */
let addedFolder: string | undefined;

/** From now on, agents that a person added to this data directory are found too. */
export function useAddedAgents(dataDir: string): void {
  addedFolder = join(dataDir, 'agents');
}

/** A file of an agent's package: ours, or one that was added. Throws where there is neither. */
export function resolveAgentFile(file: string): string {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch (error) {
    if (addedFolder === undefined) throw error;
    return createRequire(join(addedFolder, 'package.json')).resolve(file);
  }
}

/** What to do where an agent is missing. */
export const addAgentHint = (name: 'claude' | 'codex'): string =>
  bringsAgents
    ? 'Run `npm install` in the Liminal Builder folder.'
    : `Run \`liminal agents add ${name}\` in a terminal, then restart Liminal Builder.`;
