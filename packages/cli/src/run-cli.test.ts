import { describe, expect, it } from 'vitest';
import { commands, serverCommands } from './command-table.ts';
import { runCli } from './run-cli.ts';

/** Runs a command that needs no server. */
const run = (...args: string[]) => runWith({}, ...args);

async function runWith(env: NodeJS.ProcessEnv, ...args: string[]) {
  const [out, errors] = [[] as string[], [] as string[]];
  const stream = (pieces: string[]) =>
    ({ write: (text: string) => pieces.push(text) }) as unknown as NodeJS.WriteStream;
  const code = await runCli(args, {
    stdout: stream(out) as typeof process.stdout,
    stderr: stream(errors) as typeof process.stderr,
    env: { LIMINAL_DATA_DIR: '/nowhere/at/all', ...env },
    cwd: '/',
  });
  return { code, out: out.join(''), errors: errors.join('') };
}

describe('the command line', () => {
  it('prints general help and help for each command, within the width of a terminal', async () => {
    const { code, out } = await run('help');
    expect(code).toBe(0);
    for (const name of [...Object.keys(serverCommands), ...Object.keys(commands)]) expect(out).toContain(`  ${name} `);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    for (const name of Object.keys(commands)) {
      for (const help of [await run('help', name), await run(name, '--help')]) {
        expect([help.code, help.out.split('\n')[0]]).toEqual([0, expect.stringContaining(`Usage: liminal ${name}`)]);
      }
    }
  });

  it('explains what is wrong with a command, and exits with 2', async () => {
    expect(await run('lss')).toMatchObject({ code: 2, out: '', errors: expect.stringContaining('liminal ls') });
    expect(await run('toString')).toMatchObject({ code: 2 });
    expect(await run('help', 'nothing')).toMatchObject({ code: 2 });
    const wrong = await run('wait', '--json');
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.errors)).toMatchObject({ error: { code: 'USAGE' } });
  });

  it('rejects an invalid --timeout before it looks for a server', async () => {
    const lines = [
      ['run', 'Hello'],
      ['send', 's', 'Hello'],
      ['wait', 's'],
    ];
    for (const line of lines) {
      for (const timeout of ['soon', '0'])
        expect(await run(...line, '--timeout', timeout)).toMatchObject({
          code: 2,
          errors: expect.stringContaining('--timeout takes'),
        });
      expect((await run(...line, '--timeout', '5')).code).toBe(1);
    }
  });

  it('exits with 1 if no server is running, and explains how to start one', async () => {
    for (const name of ['ls', 'agents']) {
      expect(await run(name)).toMatchObject({ code: 1, out: '', errors: expect.stringContaining('`liminal start`') });
    }
  });

  it('checks a port that is no port, and says how to fix it', async () => {
    for (const port of ['eighty', '70000']) {
      const { code, out } = await runWith({ LIMINAL_PORT: port }, 'doctor');
      expect(code).toBe(1);
      expect(out).toContain(`FIX port: LIMINAL_PORT is "${port}"`);
    }
  });

  it.each(['bash', 'zsh', 'fish'])('prints the completion of %s with every command and option', async (shell) => {
    const { code, out } = await run('completion', shell);
    expect(code).toBe(0);
    for (const [name, { options = {} }] of Object.entries(commands)) {
      expect(out).toContain(name);
      for (const option of Object.keys(options)) expect(out).toContain(option);
    }
    expect((await run('completion', 'tcsh')).code).toBe(2);
  });
});
