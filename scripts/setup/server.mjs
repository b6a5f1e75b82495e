import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint } from './fingerprint.mjs';
import { inRoot, pinnedNode, root } from './paths.mjs';
import { SetupError } from './setup-error.mjs';
import { runCommand, say } from './terminal.mjs';

const builder = 'scripts/build-server.mjs';
const sources = ['packages/server/src', 'packages/contracts/src', 'packages/domain/src', builder, 'package-lock.json'];
const built = inRoot('packages', 'server', 'dist', 'main.js');
const stampFile = inRoot('node_modules', '.cache', 'liminal', 'server');

/** Builds the server, unless the build at hand was made from these very sources. */
export async function ensureServerBuilt() {
  const stamp = fingerprint(root, sources);
  if (existsSync(built) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('Building the server …');
  const { code } = await runCommand(pinnedNode, [inRoot(builder)], { show: true });
  if (code !== 0) throw new SetupError('The server could not be built; Rolldown says why above.');
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}
