import { delimiter, dirname, join, resolve } from 'node:path';

/** npm's helper for building native packages, which it also puts into PATH. */
const npmHelper = /[\\/]@npmcli[\\/]run-script[\\/]lib[\\/]node-gyp-bin$/;

/**
 * The PATH of the user's terminal. `npm start` and `npx` prepend the programs of our packages and of every parent
 * folder: an agent's shell would run our `node` and `tsc` instead of the user's.
 */
export function userPath(path: string, programFolder: string): string {
  const added = new Set(foldersUpFrom(resolve(programFolder)).map((folder) => join(folder, 'node_modules', '.bin')));
  const isAdded = (entry: string): boolean => added.has(resolve(entry)) || npmHelper.test(entry);
  const own = join(resolve(programFolder), 'node_modules', '.bin');
  const entries = path.split(delimiter);
  const first = entries.findIndex((entry) => entry === '' || !isAdded(entry));
  const rest = first < 0 ? [] : entries.slice(first);
  return rest.filter((entry) => entry === '' || resolve(entry) !== own).join(delimiter);
}

function foldersUpFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}
