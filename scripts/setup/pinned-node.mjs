import { spawnSync } from 'node:child_process';
import { pinnedNode } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/** Makes sure that the Node which runs the program is the pinned one; its package fetches it in an install script. */
export function ensurePinnedNode() {
  const version = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  if (version.startsWith('v24.')) return;
  const found = version === '' ? 'it does not start' : `it is ${version}`;
  throw new SetupError(
    `Node 24 should be in node_modules, but ${found}. Run \`npm rebuild node\` (install scripts must be allowed) and try again.`,
  );
}
