import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { programFolder } from '../../program-files.ts';

/** Where npm puts the programs of our own packages. */
const ownPrograms = join(programFolder, 'node_modules/.bin');

/** The file a command means: a path, or a name found in PATH or among our own packages. */
export async function findProgram(command: string, path: string): Promise<string | undefined> {
  const places = command.includes('/')
    ? [command.replace(/^~(?=\/)/, homedir())]
    : [...path.split(delimiter).filter((folder) => folder !== ''), ownPrograms].map((folder) => join(folder, command));
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
