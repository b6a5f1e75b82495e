import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint } from './fingerprint.mjs';
import { inRoot, pinnedNode, root } from './paths.mjs';
import { SetupError } from './setup-error.mjs';
import { runCommand, say } from './terminal.mjs';

const sources = ['packages/web', 'packages/contracts/src', 'packages/domain/src', 'package-lock.json'];
const built = inRoot('packages', 'web', 'dist', 'index.html');
/** Not in dist, where it would be served. */
const stampFile = inRoot('node_modules', '.cache', 'liminal', 'page');

/** Builds the page, unless the build at hand was made from these very sources. */
export async function ensurePageBuilt() {
  const stamp = fingerprint(root, sources);
  if (existsSync(built) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('Building the page …');
  const vite = [
    inRoot('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    inRoot('packages', 'web'),
    '--logLevel',
    'warn',
  ];
  // Whoever starts us may have set another mode, as a test runner does; a development page costs twice as much.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { code } = await runCommand(pinnedNode, vite, { show: true, env });
  if (code !== 0) throw new SetupError('The page could not be built; Vite says why above.');
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}
