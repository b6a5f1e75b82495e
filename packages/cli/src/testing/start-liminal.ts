import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const launcher = fileURLToPath(new URL('../../../../scripts/liminal.mjs', import.meta.url));

export type Surroundings = { readonly env: NodeJS.ProcessEnv; readonly cwd?: string };
export type Ended = { readonly code: number | null; readonly out: string; readonly errors: string };

/** Runs `liminal` in a pipe, as a script does. */
export async function runLiminal(args: readonly string[], { env, cwd }: Surroundings, input = ''): Promise<Ended> {
  const child = spawn(process.execPath, [launcher, ...args], { env, ...(cwd !== undefined && { cwd }) });
  let [out, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, errors };
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Runs `liminal` in its own terminal, as a user does. */
export function openTerminal(args: readonly string[], { env, cwd }: Surroundings) {
  const command = `exec ${[process.execPath, launcher, ...args].map(quoted).join(' ')}`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    ...(cwd !== undefined && { cwd }),
  });
  let out = '';
  let [looked, wake] = [0, (): void => {}];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    wake();
  });
  const closed = once(child, 'close').then(([code]) => code as number | null);
  return {
    closed,
    screen: () => out,
    type: (text: string) => void child.stdin.write(text),
    /** Waits for text after the last one that was waited for. */
    async sees(text: string): Promise<void> {
      for (;;) {
        const found = out.indexOf(text, looked);
        if (found >= 0) return void (looked = found + text.length);
        const isOver = await Promise.race([
          closed.then(() => true),
          new Promise<false>((next) => (wake = () => next(false))),
        ]);
        if (isOver && !out.includes(text, looked)) throw new Error(`"${text}" never came:\n${out}`);
      }
    },
    end: () => void child.kill(),
  };
}
