import { adviceForFailedInstall, isRegistryUnreachable } from './install-state.mjs';

/** The version the program needs: it strips types and has node:sqlite. */
const neededMajor = 24;

/** @param {string | undefined} version as in process.versions.node, with or without a v before it */
export const isNewEnough = (version) => Number.parseInt((version ?? '').replace(/^v/, ''), 10) >= neededMajor;

/**
 * The Node that runs the program: the installed one, or else the machine's own if that is new enough. Setup itself may
 * run on an installed one that was just removed. That one isn't the machine's own, whatever its version.
 * @param {{ path: string, version: string | undefined }} installed
 * @param {{ path: string, version: string, isInstalled: boolean }} running
 * @returns {string | undefined}
 */
export function chooseNode(installed, running) {
  if (isNewEnough(installed.version)) return installed.path;
  return !running.isInstalled && isNewEnough(running.version) ? running.path : undefined;
}

/**
 * What a user can do when their Node is too old and the bundled one could not be installed, or does not start.
 * @param {{ platform: string, arch: string, ownVersion: string, npmOutput: string | undefined }} machine
 */
export function adviceForMissingNode({ platform, arch, ownVersion, npmOutput }) {
  if (npmOutput !== undefined && isRegistryUnreachable(npmOutput)) return adviceForFailedInstall(npmOutput);
  return `Liminal Builder needs Node ${neededMajor} or newer. You have ${ownVersion}, and there is no prebuilt Node that starts on ${platform}-${arch}. Install Node ${neededMajor} yourself (your package manager, or https://nodejs.org/en/download), then run the command again.`;
}
