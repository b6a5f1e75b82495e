/**
 * @typedef {object} InstallState
 * @property {string} lockHash hash of package-lock.json
 * @property {number} lockTime when package-lock.json last changed
 * @property {string | undefined} stampHash hash of the lockfile that set-up last installed
 * @property {number | undefined} stampTime when set-up last installed
 * @property {number | undefined} npmTime when npm last finished an install, of its own or ours
 */

/**
 * Whether node_modules matches the lockfile: setup installed this lockfile, or a user has run npm since the lockfile
 * changed and since setup last checked.
 * @param {InstallState} state
 */
export function isInstalled(state) {
  if (state.npmTime === undefined) return false;
  if (state.stampHash === state.lockHash) return true;
  return state.npmTime >= state.lockTime && state.npmTime > (state.stampTime ?? 0);
}

const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;

/**
 * Whether npm failed because it couldn't reach the registry.
 * @param {string} output
 */
export const isRegistryUnreachable = (output) => unreachable.test(output);

/**
 * What a user can do about a failed `npm ci`, judged by what it printed.
 * @param {string} output
 */
export function adviceForFailedInstall(output) {
  if (isRegistryUnreachable(output)) {
    return "npm couldn't download the packages: the npm registry can't be reached. Check the network (or the proxy that npm uses), then run the command again.";
  }
  if (/\bEUSAGE\b/.test(output)) {
    return 'package.json and package-lock.json do not agree. Run `npm install` and try again.';
  }
  if (/\bENOSPC\b/.test(output)) {
    return 'The disk is full: about 1.5 GB is needed for the packages. Free some space, then run the command again.';
  }
  if (/\b(EACCES|EPERM)\b/.test(output)) {
    return 'npm may not write here. Make sure that you own this folder and the npm cache, then run the command again.';
  }
  return `${withoutStack(output)}\nThe packages could not be installed. npm says why above. Fix that, then run the command again.`;
}

/** @param {string} output */
function withoutStack(output) {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^(npm error)?\s+at /.test(line));
  return lines.slice(-12).join('\n');
}
