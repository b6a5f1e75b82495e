import { existsSync } from 'node:fs';
import path from 'node:path';
import { installWithApt, machineRights } from '../setup/apt.mjs';

/** Full-screen programs that the terminal tests run, and their Debian packages. */
const programs = /** @type {Record<string, string>} */ ({ vim: 'vim', less: 'less', top: 'procps' });

/** Makes sure that the terminal tests have their programs, and installs Debian's if possible. */
export async function ensureTerminalPrograms() {
  for (const name of missingPrograms()) {
    await installWithApt({
      what: `${name} for the tests of terminals`,
      plan: planProgram(name, machineRights()),
      isThere: () => !missingPrograms().includes(name),
      otherwise: `put ${name} on the PATH`,
    });
  }
}

/**
 * How to install a missing program: the packages, or advice for a user who must do it.
 * @param {string} name
 * @param {{ hasApt: boolean, isRoot: boolean, hasSudo: boolean }} machine
 * @returns {import('../setup/apt.mjs').Plan}
 */
export function planProgram(name, { hasApt, isRoot, hasSudo }) {
  const packaged = programs[name] ?? name;
  if (!hasApt) return { advice: `The tests of terminals run ${name}. Install it.` };
  return isRoot || hasSudo
    ? { packages: [packaged], isRoot }
    : { advice: `The tests of terminals run ${name}. Run \`sudo apt-get install -y ${packaged}\`.` };
}

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @param {(file: string) => boolean} [exists]
 */
export function missingPrograms(env = process.env, exists = existsSync) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return Object.keys(programs).filter((name) => !folders.some((folder) => exists(path.join(folder, name))));
}
