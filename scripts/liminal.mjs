#!/usr/bin/env node
// `npx liminal …`: the program on a Node that can run it, whatever Node runs this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { programNode } from './setup/node.mjs';
import { inRoot } from './setup/paths.mjs';
import { platformProblem } from './setup/platform.mjs';

const node = programNode();
const problem =
  platformProblem(process.platform, process.versions.node) ??
  (node === undefined || !existsSync(inRoot('node_modules', 'fastify'))
    ? 'The packages are not installed yet. Run `npm start` once first.'
    : undefined);

if (problem !== undefined || node === undefined) {
  console.error(problem);
  process.exitCode = 1;
} else {
  const main = inRoot('packages', 'server', 'src', 'compose', 'main.ts');
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal signals both of us; the program is the one to decide when it ends.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => (process.exitCode = code ?? 1));
}
