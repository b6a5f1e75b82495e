import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { adviceForMissingNode, chooseNode } from './choose-node.mjs';
import { runNpm } from './npm.mjs';
import { inRoot } from './paths.mjs';
import { track } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

/** The Node that setup installs if the machine's own is too old. */
const installedNode = inRoot('node_modules', 'node', 'bin', 'node');

/** @param {string} file */
const versionOf = (file) => spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim();

/** npm scripts use the same one, because node_modules/.bin comes first in their PATH. */
export function programNode() {
  return chooseNode(
    { path: installedNode, version: versionOf(installedNode) },
    {
      path: process.execPath,
      version: process.versions.node,
      isInstalled: process.execPath.startsWith(inRoot('node_modules') + path.sep),
    },
  );
}

/** Makes sure that there is a Node to run the program. Installs one only if the machine's own is too old. */
export async function ensureNode() {
  if (programNode() !== undefined) return;
  const { output } = await track('Installing Node 24', () => runNpm(['rebuild', 'node', '--ignore-scripts=false']));
  if (programNode() !== undefined) return;
  // If it doesn't start, it must not come before the machine's own Node in the PATH of npm scripts.
  rmSync(inRoot('node_modules', '.bin', 'node'), { force: true });
  const { platform, arch, versions } = process;
  throw new SetupError(adviceForMissingNode({ platform, arch, ownVersion: versions.node, npmOutput: output }));
}
