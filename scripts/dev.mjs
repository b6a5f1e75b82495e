// Runs the server, restarted when its files change, behind Vite's development server for the page.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { inRoot, root } from './setup/paths.mjs';

/** A port that stays the same when the server restarts, so Vite's proxy still finds it. */
const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
});

const serverArgs = ['--watch', 'packages/server/src/compose/main.ts', '--json', '--no-open', '--port', String(port)];
const server = spawn(process.execPath, [...serverArgs, ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
/** @type {import('node:child_process').ChildProcess | undefined} */
let vite;

createInterface({ input: server.stdout }).on('line', (line) => {
  const ready = readyLine(line);
  if (ready === undefined) console.error(line);
  else if (vite === undefined) vite = startVite(ready);
});

/** @param {string} line */
function readyLine(line) {
  try {
    const message = JSON.parse(line);
    return message?.event === 'ready' ? /** @type {{ port: number, token: string }} */ (message) : undefined;
  } catch {
    return undefined;
  }
}

/** @param {{ port: number, token: string }} ready */
function startVite(ready) {
  const env = { ...process.env, LIMINAL_DEV_SERVER: `http://127.0.0.1:${ready.port}`, LIMINAL_DEV_TOKEN: ready.token };
  const child = spawn(process.execPath, [inRoot('node_modules', 'vite', 'bin', 'vite.js'), inRoot('packages', 'web')], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  child.on('exit', (code) => stop(code ?? 0));
  return child;
}

/** @param {number} code */
function stop(code) {
  server.kill();
  vite?.kill();
  process.exitCode = code;
}

server.on('exit', (code) => stop(code ?? 0));
process.on('SIGINT', () => stop(130));
process.on('SIGTERM', () => stop(143));
