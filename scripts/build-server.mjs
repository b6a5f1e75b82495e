// Builds the server into packages/server/dist: plain JavaScript in a few files, which starts faster and uses less
// memory than its TypeScript sources (decision 31).
import { globSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { inRoot } from './setup/paths.mjs';
import { testEntries, testPrograms } from './tests/test-programs.mjs';

// Another folder is for the published package, without source maps. `--tests` builds the programs that tests start
// again and again instead: the server with their own agents, and parts of it that are killed half-way.
const [given] = process.argv.slice(2);
const isForTests = given === '--tests';
const folder = isForTests ? testPrograms : (given ?? inRoot('packages', 'server', 'dist'));
/** @param {string} file */
const source = (file) => inRoot('packages', 'server', 'src', `${file}.ts`);
/**
 * The program, and its modules that run in their own thread or process (packages/server/src/program/program-files.ts).
 */
const entries = [
  ...(isForTests ? testEntries : ['compose/main']),
  'store/sqlite/writer-thread',
  'providers/demo/demo-agent',
  'files/contents/grep-thread',
  'git/launch/launch-process',
];

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [entry.replace('compose/', ''), source(entry)])),
  platform: 'node',
  tsconfig: inRoot('packages', 'tsconfig.json'),
  external: [
    // Loaded only when needed, and they look for files next to themselves.
    '@anthropic-ai/claude-agent-sdk',
    '@redis/client',
    '@replit/ruspty',
    'open',
    // Never loaded (packages/server/src/http/build-app.ts).
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
  ],
});
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  // What an editor shows takes memory as long as the server runs. Licences stay.
  comments: { annotation: false, jsdoc: false, legal: true },
  sourcemap: given === undefined || isForTests,
  // Stack traces need only the positions.
  sourcemapExcludeSources: true,
  entryFileNames: '[name].js',
  // Flat, because files here resolve paths as if they were in src.
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();

// A single character beyond Latin-1 makes V8 store two bytes per character of a file: 2.6 MB of idle memory.
for (const chunk of output) {
  if (chunk.type !== 'chunk') continue;
  const code = chunk.code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (code !== chunk.code) writeFileSync(path.join(folder, chunk.fileName), code);
}

// A server from an earlier build may still load parts of it, so old parts stay for a week.
const weekMs = 7 * 24 * 3_600_000;
const current = new Set(output.map(({ fileName }) => fileName));
for (const file of globSync('**/*.{js,map}', { cwd: folder })) {
  const isOld = Date.now() - statSync(path.join(folder, file)).mtimeMs > weekMs;
  if (isOld && !current.has(file)) rmSync(path.join(folder, file));
}
