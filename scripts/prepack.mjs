// Runs before `npm pack`: builds what people install into dist (server, page and command line), and replaces the
// repository's package.json, which postpack.mjs restores.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { replaceManifest, restoreManifest } from './package/kept-manifest.mjs';
import { packedManifest } from './package/packed-manifest.mjs';
import { inRoot } from './setup/paths.mjs';

const stage = inRoot('dist');
/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(inRoot(file), 'utf8'));
/** What a script prints is for people: the output of npm stays as it is. @param {string[]} args */
const run = (...args) => execFileSync(process.execPath, args, { stdio: ['ignore', 2, 2] });

restoreManifest();
run(inRoot('scripts', 'setup.mjs'));
const { programNode } = await import('./setup/node.mjs');
rmSync(stage, { recursive: true, force: true });
for (const name of ['server', 'cli']) {
  const builder = inRoot('scripts', `build-${name}.mjs`);
  execFileSync(programNode() ?? process.execPath, [builder, path.join(stage, 'packages', name, 'dist')], {
    stdio: ['ignore', 2, 2],
  });
}
for (const [from, to] of [
  ['packages/web/dist', 'packages/web/dist'],
  ['packages/server/shims', 'packages/server/shims'],
  ['packages/server/src/processes/guardian.sh', 'packages/server/src/processes/guardian.sh'],
  ['packages/server/src/processes/waiting-shell.sh', 'packages/server/src/processes/waiting-shell.sh'],
  ['scripts/package/liminal.mjs', 'scripts/liminal.mjs'],
  ['scripts/package/find-node.mjs', 'scripts/find-node.mjs'],
]) {
  if (from !== undefined && to !== undefined)
    cpSync(inRoot(from), path.join(stage, to), { recursive: true, filter: (file) => !file.endsWith('.map') });
}
const { name, version, type } = read('package.json');
writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
replaceManifest((repository) => packedManifest(repository, read('packages/server/package.json')));
