import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * Says how set-up gets on. Always on stderr: stdout belongs to the program that starts afterwards.
 * @param {string} sentence
 */
export function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

/**
 * Runs a command from the root, and resolves to its exit code and what it printed; shows that on stderr if told to.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, show: boolean }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCommand(command, args, { env = process.env, show }) {
  return new Promise((resolve) => {
    // Windows finds npm and the like only as .cmd files, which need a shell.
    const shell = process.platform === 'win32' && !command.includes('\\');
    const child = spawn(command, args, { cwd: root, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
        if (show) process.stderr.write(text);
      });
    }
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
