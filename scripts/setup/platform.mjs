// Runs on whatever Node the machine has, so it uses only old syntax.

const oldestNode = 20;

/**
 * Why Liminal Builder cannot run on this machine at all, or undefined.
 * @param {string} platform as in process.platform
 * @param {string} nodeVersion as in process.versions.node
 * @returns {string | undefined}
 */
export function platformProblem(platform, nodeVersion) {
  if (platform === 'win32') {
    return 'Liminal Builder runs on Linux and macOS. On Windows, run it inside WSL: install that with `wsl --install` (https://learn.microsoft.com/windows/wsl/install), then clone the repository and run `npm start` there.';
  }
  if (Number(nodeVersion.split('.')[0]) < oldestNode) {
    return (
      'Node ' +
      oldestNode +
      ' or newer is needed; you have ' +
      nodeVersion +
      '. Get it from https://nodejs.org and try again.'
    );
  }
  return undefined;
}
