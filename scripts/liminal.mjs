#!/usr/bin/env node
// `npx liminal …`: the program on the Node it is tested with, whatever Node runs this file.
import { spawn } from 'node:child_process';
import { inRoot, pinnedNode } from './setup/paths.mjs';

const main = inRoot('packages', 'server', 'src', 'main.ts');
const child = spawn(pinnedNode, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal tells both of us; the program is the one to decide when it ends.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
child.on('exit', (code) => (process.exitCode = code ?? 1));
child.on('error', () => {
  console.error('The packages are not installed yet. Run `npm start` once first.');
  process.exitCode = 1;
});
