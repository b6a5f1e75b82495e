import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createAgentSpawner } from '../../processes/spawn-agent.ts';
import { maxWaitingInput, type Pty, type PtyHost, type PtySize } from './pty.ts';
import { type PtyDeps, createRusptyHost } from './ruspty.ts';

const run = promisify(execFile);
const script = '/usr/bin/script';
/** The longest that unread output is kept after the program has ended. */
const drainMs = 30_000;

/** Quotes a text for the shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Pseudo-terminals through `script` of util-linux, which nearly every Linux has. Null without it. `script` holds the
 * terminal in its own process. A program ended by a signal has 128 plus the signal as its exit code.
 */
export function createScriptHost({ guardian, marker, log, graceMs = 1_500 }: PtyDeps): PtyHost | null {
  if (process.platform !== 'linux' || !existsSync(script)) return null;
  const spawner = createAgentSpawner({
    ...(guardian && { guardian }),
    marker,
    markName: 'LIMINAL_TERMINAL_MARK',
    log,
    graceMs,
    drainMs,
  });
  return {
    async open({ command, args, cwd, env }, size) {
      // `script` passes its command to $SHELL as one line. The program itself gets its given environment.
      const shell = env['SHELL'] === undefined ? 'unset SHELL' : `SHELL=${quoted(env['SHELL'])}`;
      const line = `stty cols ${size.cols} rows ${size.rows}; ${shell}; exec ${[command, ...args].map(quoted).join(' ')}`;
      const agent = await spawner.spawn({
        command: script,
        args: ['-qfec', line, '/dev/null'],
        cwd,
        env: { ...env, SHELL: '/bin/sh' },
      });
      const pty: Pty = {
        pid: agent.pid,
        output: agent.stdout,
        get isRunning() {
          return agent.isRunning;
        },
        write: (data) =>
          agent.isRunning && agent.stdin.writableLength < maxWaitingInput && (agent.stdin.write(data), true),
        resize: (next) => void (agent.isRunning && resize(agent.pid, next)),
        exited: agent.exited.then(async ({ code, signal }) => {
          await agent.kill();
          return signal === null ? { exitCode: code } : { exitCode: null, signal };
        }),
        async kill() {
          agent.stdout.resume();
          await agent.kill();
        },
      };
      return pty;
    },
    close: () => spawner.close(),
  };
}

/** The terminal belongs to `script`. Its other end is the input of the program. */
async function resize(pid: number, { cols, rows }: PtySize): Promise<void> {
  try {
    const [child = ''] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
    const device = await readlink(`/proc/${child}/fd/0`);
    await run('stty', ['-F', device, 'cols', String(cols), 'rows', String(rows)]);
    // `stty` sets columns and rows one after the other. A shell still handling the first signal can miss the second.
    const stat = await readFile(`/proc/${child}/stat`, 'utf8');
    const foreground = Number(stat.slice(stat.lastIndexOf(')')).split(' ')[6]);
    if (foreground > 1) process.kill(-foreground, 'SIGWINCH');
  } catch {
    // The program has just ended, so there is nothing to resize.
  }
}

/** The best terminal implementation of this system, or null if it has none. */
export const openPtyHost = async (deps: PtyDeps): Promise<PtyHost | null> =>
  (await createRusptyHost(deps)) ?? createScriptHost(deps);
