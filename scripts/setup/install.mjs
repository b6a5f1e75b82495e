import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { adviceForFailedInstall, isInstalled } from './install-state.mjs';
import { runNpm } from './npm.mjs';
import { inRoot } from './paths.mjs';
import { SetupError } from './setup-error.mjs';
import { say } from './terminal.mjs';

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
  const { code, output } = await runNpm(['ci', '--include=dev', '--include=optional']);
  if (code !== 0) throw new SetupError(adviceForFailedInstall(output));
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
