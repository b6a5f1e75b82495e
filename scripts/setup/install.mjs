import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { adviceForFailedInstall, isInstalled } from './install-state.mjs';
import { inRoot, root } from './paths.mjs';
import { SetupError } from './setup-error.mjs';
import { runCommand, say } from './terminal.mjs';

const lockfile = inRoot('package-lock.json');
const stampFile = inRoot('node_modules', '.liminal-installed');
/** npm writes this at the very end of an install. */
const npmRecord = inRoot('node_modules', '.package-lock.json');

/** Installs the locked packages, unless they are there. */
export async function ensureInstalled() {
  const lockHash = createHash('sha256').update(readFileSync(lockfile)).digest('hex');
  const stampHash = readOptional(stampFile);
  const state = {
    lockHash,
    stampHash,
    lockTime: timeOf(lockfile) ?? 0,
    stampTime: timeOf(stampFile),
    npmTime: timeOf(npmRecord),
  };
  if (!isInstalled(state)) await install();
  if (stampHash !== lockHash) writeFileSync(stampFile, lockHash);
}

async function install() {
  say('Installing packages (about a minute, once) …');
  const { command, args } = npm();
  // Few and quick retries: without a network a person hears of it in seconds, not minutes.
  const patience = ['--fetch-retries=3', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=4000'];
  const flags = ['ci', '--include=dev', '--include=optional', '--prefer-offline', '--loglevel=error', ...patience];
  const { code, output } = await runCommand(command, [...args, ...flags], { env: environmentForNpm(), show: false });
  if (code !== 0) throw new SetupError(adviceForFailedInstall(output));
}

/** The npm that runs this script, on its own Node: the one in node_modules is about to be replaced. */
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

/** @param {string} file */
function readOptional(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} file */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
