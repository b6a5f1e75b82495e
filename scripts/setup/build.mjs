import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint } from './fingerprint.mjs';
import { programNode } from './node.mjs';
import { inRoot, root } from './paths.mjs';
import { track } from './progress.mjs';
import { runCommand } from './run-command.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * @typedef {object} Build
 * @property {string} label as "Building the page"
 * @property {string[]} sources files and folders it is made of, relative to the root
 * @property {string} result a file that is there when it is built
 * @property {string} stampFile remembers what the build at hand was made of
 * @property {string[]} args what Node is to run
 */

/**
 * Builds, unless the current build was made from the same sources. A tool's warnings are for developers, who can run it
 * themselves, so its output is shown only if it fails.
 * @param {Build} build
 * @param {(command: string, args: string[], options: { env: NodeJS.ProcessEnv }) => Promise<{ code: number, output: string }>} [run]
 */
export async function ensureBuilt({ label, sources, result, stampFile, args }, run = runCommand) {
  const stamp = fingerprint(root, sources);
  if (existsSync(result) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  // A build that is interrupted leaves parts of it in place of the previous one, whose stamp must not vouch for them.
  rmSync(stampFile, { force: true });
  // A test runner may have set another mode, and a development page is twice as expensive.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { code, output } = await track(label, () => run(programNode() ?? process.execPath, args, { env }));
  if (code !== 0) throw new SetupError(`${output.trimEnd()}\n${label} failed. The output of the tool is above.`);
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** @type {Build} */
export const page = {
  label: 'Building the page',
  sources: [
    'packages/web',
    'packages/contracts/src',
    'packages/domain/src',
    'packages/client/src',
    'package-lock.json',
  ],
  result: inRoot('packages', 'web', 'dist', 'index.html'),
  // Not in dist, where it would be served.
  stampFile: inRoot('node_modules', '.cache', 'liminal', 'page'),
  args: [inRoot('node_modules', 'vite', 'bin', 'vite.js'), 'build', inRoot('packages', 'web'), '--logLevel', 'warn'],
};

const serverBuilder = 'scripts/build-server.mjs';

/** @type {Build} */
export const server = {
  label: 'Building the server',
  sources: ['packages/server/src', 'packages/contracts/src', 'packages/domain/src', serverBuilder, 'package-lock.json'],
  result: inRoot('packages', 'server', 'dist', 'main.js'),
  stampFile: inRoot('node_modules', '.cache', 'liminal', 'server'),
  args: [inRoot(serverBuilder)],
};

/**
 * Only for tests, so `npm start` doesn't build it.
 * @type {Build}
 */
export const serverForTests = {
  ...server,
  label: 'Building the programs of tests',
  sources: [...server.sources, 'scripts/tests/test-programs.mjs'],
  result: inRoot('packages', 'stand-ins', 'dist', 'reliability', 'testing', 'recorded-main.js'),
  stampFile: inRoot('node_modules', '.cache', 'liminal', 'server-for-tests'),
  args: [inRoot(serverBuilder), '--tests'],
};

const cliBuilder = 'scripts/build-cli.mjs';

/** @type {Build} */
export const cli = {
  label: 'Building the command line',
  sources: [
    'packages/cli/src',
    'packages/client/src',
    'packages/contracts/src',
    'packages/domain/src',
    cliBuilder,
    'package-lock.json',
  ],
  result: inRoot('packages', 'cli', 'dist', 'main.js'),
  stampFile: inRoot('node_modules', '.cache', 'liminal', 'cli'),
  args: [inRoot(cliBuilder)],
};
