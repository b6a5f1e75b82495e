import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { adviceForFailedInstall, isInstalled } from './install-state.mjs';
import { countUnpacked, expectedPackages } from './installed-packages.mjs';
import { runNpm } from './npm.mjs';
import { inRoot, root } from './paths.mjs';
import { track } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

const lockfile = inRoot('package-lock.json');
const stampFile = inRoot('node_modules', '.liminal-installed');
/** npm writes this at the very end of an install. */
const npmRecord = inRoot('node_modules', '.package-lock.json');

/** Installs the locked packages unless they are already there. */
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
  const expected = expectedPackages(readFileSync(lockfile, 'utf8'), process);
  // Without scripts: the only one downloads a Node, which a machine with a new one doesn't need.
  const flags = ['ci', '--include=dev', '--include=optional', '--ignore-scripts'];
  const { code, output } = await track(
    'Installing packages',
    () => runNpm(flags),
    () => ({ done: countUnpacked(root, expected), total: expected.length }),
  );
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
