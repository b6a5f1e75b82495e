import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { addableAgents, addedAgents } from '@liminal/domain/agents/addable-agents';
import { programFolder } from './program-files.ts';

/** The repository includes the agents. An installed package doesn't. */
export const bundlesAgents = existsSync(join(programFolder, 'scripts', 'setup.mjs'));

/** Folders of agents that a user added. One list for the whole process, like node_modules. */
let addedFolders: readonly string[] = [];

/** Also finds agents that a user added to this data directory, including ones added later. */
export function useAddedAgents(dataDir: string): void {
  // Earlier versions put all of them into one folder.
  const folders = [...Object.keys(addableAgents).map((name) => join(addedAgents, name)), 'agents'];
  addedFolders = folders.map((folder) => join(dataDir, folder));
}

/** A file of an agent's package, bundled or added. Throws if there is neither. */
export function resolveAgentFile(file: string): string {
  const places = [import.meta.url, ...addedFolders.map((folder) => join(folder, 'package.json'))];
  let missing: unknown;
  for (const place of places) {
    try {
      return createRequire(place).resolve(file);
    } catch (error) {
      missing ??= error;
    }
  }
  throw missing;
}

/** How to install a missing agent. */
export const addAgentHint = (name: 'claude' | 'codex'): string =>
  bundlesAgents
    ? 'Run `npm install` in the Liminal Builder folder.'
    : `Install it in the page, or run \`liminal agents add ${name}\` in a terminal.`;
