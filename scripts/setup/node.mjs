import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { adviceForMissingNode, isNewEnough } from './choose-node.mjs';
import { runNpm } from './npm.mjs';
import { inRoot } from './paths.mjs';
import { track } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

/** The Node that set-up installs where the machine's own is too old. */
const installedNode = inRoot('node_modules', 'node', 'bin', 'node');

/** @param {string} file */
const versionOf = (file) => spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim();

/**
 * The Node that runs the program: the installed one, or else the machine's own if that is new enough.
 * npm scripts find the same one, because node_modules/.bin stands first on their PATH.
 * @returns {string | undefined}
 */
export function programNode() {
  const isOwn = process.execPath !== installedNode;
  if (isOwn && isNewEnough(versionOf(installedNode))) return installedNode;
  return isNewEnough(process.versions.node) ? process.execPath : undefined;
}

/** Makes sure that there is a Node to run the program; installs one only where the machine's own is too old. */
export async function ensureNode() {
  if (programNode() !== undefined) return;
  const { output } = await track('Installing Node 24', () => runNpm(['rebuild', 'node']));
  if (programNode() !== undefined) return;
  // What does not start must not stand before the machine's own Node on the PATH of npm scripts.
  rmSync(inRoot('node_modules', '.bin', 'node'), { force: true });
  const { platform, arch, versions } = process;
  throw new SetupError(adviceForMissingNode({ platform, arch, ownVersion: versions.node, npmOutput: output }));
}
