#!/usr/bin/env node
// `npx liminal …`: the server, or a command for a running one, on whatever Node runs this file.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** @param {string} path */
const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [first = 'start', ...rest] = process.argv.slice(2);
const builtCli = inRoot('packages/cli/dist/main.js');

// These need the server's own program. Flags without a command start it too.
const isForServer =
  first === 'start' ||
  first === 'token' ||
  first === 'backup' ||
  (first.startsWith('-') && first !== '--help' && first !== '-h');
if (isForServer)
  await runProgram('packages/server/src/compose/main.ts', first === 'start' ? rest : process.argv.slice(2));
else if (existsSync(builtCli)) {
  // Caches compiled code between runs. Older versions of Node can't do that, and don't need to.
  if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache(inRoot('node_modules/.cache/liminal-compile'));
  await import(pathToFileURL(builtCli).href);
} else await runProgram('packages/cli/src/main.ts', process.argv.slice(2));

/**
 * Runs a program of ours from its sources, on a Node that can.
 * @param {string} main
 * @param {string[]} args
 */
async function runProgram(main, args) {
  const { spawn } = await import('node:child_process');
  const { programNode } = await import('./setup/node.mjs');
  const { platformProblem } = await import('./setup/platform.mjs');
  const node = programNode();
  const problem =
    platformProblem(process.platform, process.versions.node) ??
    (node === undefined || !existsSync(inRoot('node_modules/fastify'))
      ? "The packages aren't installed yet. Run `npm start` first."
      : undefined);
  if (problem !== undefined || node === undefined) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [inRoot(main), ...args], { stdio: 'inherit' });
  // The terminal signals both processes. The program decides when it ends.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => (process.exitCode = code ?? 1));
}
