import path from 'node:path';
import { inRoot, root } from './paths.mjs';
import { runCommand } from './run-command.mjs';

/** Few and quick retries: without a network, a user should know within seconds. */
const patience = ['--fetch-retries=3', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=4000'];

/**
 * Runs npm, quietly.
 * @param {string[]} flags
 */
export function runNpm(flags) {
  const { command, args } = npm();
  const all = [...args, ...flags, '--prefer-offline', '--loglevel=error', ...patience];
  return runCommand(command, all, { env: environmentForNpm() });
}

/** The npm that runs this script, on its own Node: the one in node_modules may be about to be replaced. */
function npm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  return cli && node && path.basename(cli).startsWith('npm')
    ? { command: node, args: [cli] }
    : { command: 'npm', args: [] };
}

function environmentForNpm() {
  const ours = inRoot('node_modules');
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.startsWith(ours));
  return { ...process.env, PATH: folders.join(path.delimiter), INIT_CWD: root };
}
