#!/usr/bin/env node
// The command of the installed package. Commands for a running server work on the Node that runs this file; the server
// needs a newer one.
const [first = 'start', ...rest] = process.argv.slice(2);
const isHelp = first === '--help' || first === '-h';
if (['start', 'token', 'backup'].includes(first) || (first.startsWith('-') && !isHelp))
  await runServer(first === 'start' ? rest : process.argv.slice(2));
else await import(new URL('../packages/cli/dist/main.js', import.meta.url).href);

/** @param {string[]} args */
async function runServer(args) {
  const { spawn } = await import('node:child_process');
  const { createRequire } = await import('node:module');
  const { fileURLToPath } = await import('node:url');
  const { findNode } = await import('./find-node.mjs');
  const { platform, arch, versions, execPath } = process;
  const { resolve } = createRequire(import.meta.url);
  const found = findNode({ platform, arch, version: versions.node, execPath, resolve });
  if ('problem' in found) {
    console.error(found.problem);
    process.exitCode = 1;
    return;
  }
  const main = fileURLToPath(new URL('../packages/server/dist/main.js', import.meta.url));
  const child = spawn(found.node, [main, ...args], { stdio: 'inherit' });
  // The terminal signals both processes. The program decides when it ends.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Node at ${found.node} can't be started (${error.message}). Install Node 24 or newer yourself.`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => (process.exitCode = code ?? 1));
}
