// Runs on whatever Node the machine has, so it uses only syntax of Node 20.
import { dirname, join } from 'node:path';

const neededMajor = 24;

/**
 * The Node that runs the server: the machine's own if it is new enough, otherwise the one installed as a package. If
 * there is neither, explains what to do.
 * @param {{ platform: string, arch: string, version: string, execPath: string, resolve: (file: string) => string }} machine
 * @returns {{ node: string } | { problem: string }}
 */
export function findNode({ platform, arch, version, execPath, resolve }) {
  if (platform === 'win32')
    return { problem: 'Liminal Builder runs on Linux and macOS. On Windows, run it inside WSL.' };
  if (Number.parseInt(version, 10) >= neededMajor) return { node: execPath };
  try {
    return { node: join(dirname(resolve(`node-${platform}-${arch}/package.json`)), 'bin', 'node') };
  } catch {
    return {
      problem: `Liminal Builder needs Node ${neededMajor} or newer to run the server. You have ${version}, and there is no prebuilt Node for ${platform}-${arch} beside it. Install Node ${neededMajor} (your package manager, or https://nodejs.org/en/download), then run the command again.`,
    };
  }
}
