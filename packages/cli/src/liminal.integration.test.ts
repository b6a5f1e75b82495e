import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '@liminal/stand-ins/agent-homes';
import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningServer } from './base/server-access.ts';
import { jsonLines } from './testing/json-lines.ts';
import { type Ended, openTerminal, runLiminal } from './testing/start-liminal.ts';

// The real command against the real server with the demo agent, in a pipe and in a terminal.
const project = projectFolder();
const demo = { LIMINAL_DEMO_SPEED: '20' };
let dataDir: string;
let program: Program;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'liminal-cli-'));
  program = startProgram({ dataDir, env: demo });
  await program.ready;
  // The tests themselves may run in an agent's terminal.
  const { LIMINAL_AGENT_MARK: _mark, LIMINAL_URL: _url, LIMINAL_TOKEN: _token, ...rest } = process.env;
  env = { ...rest, ...demo, LIMINAL_DATA_DIR: dataDir };
}, 120_000);
afterAll(async () => {
  await program.stop();
  project.cleanup();
  rmSync(dataDir, { recursive: true, force: true });
}, 120_000);

const liminal = (...args: string[]) => runLiminal(args, { env, cwd: project.dir });
const isOk = ({ code, out, errors }: Ended, expected = 0) => {
  expect({ code, errors: code === expected ? '' : errors }).toEqual({ code: expected, errors: '' });
  return out;
};
/** The lines of a command with --json, each parsed with its schema. */
const linesOf = <Name extends keyof typeof jsonLines>(name: Name, ended: Ended, expected = 0) =>
  isOk(ended, expected)
    .trim()
    .split('\n')
    .map((line) => jsonLines[name].parse(JSON.parse(line))) as Record<string, unknown>[];
const start = async (message: string): Promise<string> => isOk(await liminal('run', '--agent', 'demo', message)).trim();

const patience = 120_000;

describe('liminal in a pipe', () => {
  it('starts a session, waits for its answer, lists it and sends a second message', { timeout: patience }, async () => {
    const [sent, settled] = linesOf('run', await liminal('run', '--agent', 'demo', '--wait', '--json', 'Say hello'));
    const { sessionId } = sent as { sessionId: string };
    expect(settled).toMatchObject({ sessionId, turnId: sent?.['turnId'], state: 'done' });
    expect(settled?.['answer']).toContain('You wrote: “Say hello”');
    const listed = linesOf('ls', await liminal('ls', '--json', '--project', '.'));
    expect(listed).toMatchObject([{ sessionId, attention: 'done', cliType: 'demo' }]);
    expect(isOk(await liminal('ls'))).toBe(`${sessionId}\tdone\tdemo\tSay hello\n`);
    const short = sessionId.slice(0, 9);
    const more = await runLiminal(['send', short, '-', '--wait'], { env }, 'From standard input\n');
    expect(isOk(more)).toContain('You wrote: “From standard input”');
    expect(linesOf('send', await liminal('send', short, 'tool', '--json'))).toMatchObject([{ sessionId }]);
    expect(linesOf('wait', await liminal('wait', short, '--json'))).toMatchObject([{ sessionId, state: 'done' }]);
    const followed = isOk(await liminal('attach', short));
    expect(followed).toContain('> tool\n');
    expect(followed).toContain('● npm test\n');
    expect(followed).toContain('… 2 more lines\n');
    const items = linesOf('attach', await liminal('attach', short, '--json'));
    expect(items.at(-1)).toMatchObject({ state: 'done' });
  });

  it('exits with 3 if the session needs an answer, and accepts it', { timeout: patience }, async () => {
    const sessionId = await start('Ask for permission');
    expect(linesOf('wait', await liminal('wait', sessionId, '--json'), 3)).toMatchObject([
      { sessionId, state: 'waiting', requests: [{ title: 'rm -rf build' }] },
    ]);
    for (const name of ['allow', 'refuse']) {
      const inside = await runLiminal([name, sessionId], { env: { ...env, LIMINAL_AGENT_MARK: 'some agent' } });
      expect([inside.code, inside.errors]).toEqual([1, expect.stringContaining('An agent can’t answer')]);
    }
    const named = await liminal('allow', sessionId, '--option', 'nothing');
    expect([named.code, named.errors]).toEqual([1, expect.stringContaining('allow_once')]);
    expect(linesOf('refuse', await liminal('refuse', sessionId, '--reason', 'no', '--json'))).toMatchObject([
      { sessionId, optionId: 'reject' },
    ]);
    isOk(await liminal('wait', sessionId));
    expect((await liminal('allow', sessionId)).code).toBe(1);
    isOk(await liminal('send', sessionId, 'Ask for permission'));
    expect((await liminal('wait', sessionId)).code).toBe(3);
    expect(isOk(await liminal('allow', sessionId))).toBe('Allow once: rm -rf build\n');
    isOk(await liminal('wait', sessionId));
  });

  it(
    'exits with 4 if the turn fails, 124 on a timeout, and 1 or 2 if it can’t start',
    async () => {
      const failed = await liminal('run', '--agent', 'demo', '--wait', 'error');
      expect([failed.code, failed.errors]).toEqual([4, expect.stringContaining('The turn failed.')]);
      const sessionId = await start('long 100000');
      expect((await liminal('wait', sessionId, '--timeout', '0.3')).code).toBe(124);
      expect((await liminal('wait', sessionId, '--timeout', 'soon')).code).toBe(2);
      const ambiguous = await liminal('wait', 'demo-');
      expect([ambiguous.code, ambiguous.errors]).toEqual([1, expect.stringContaining('begin with "demo-"')]);
      expect((await liminal('wait', 'f'.repeat(36))).code).toBe(1);
      const mode = await runLiminal(['run', '--agent', 'demo', '--mode', 'auto', 'x'], {
        env: { ...env, LIMINAL_AGENT_MARK: 'some agent' },
      });
      expect([mode.code, mode.out]).toEqual([1, '']);
      const wrong = await runLiminal(['ls'], { env: { ...env, LIMINAL_TOKEN: 'wrong-token-of-some-length' } });
      expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('token')]);
    },
    patience,
  );

  it('lists agents and changes, and checks the machine', { timeout: patience }, async () => {
    // Independent commands run in parallel.
    const looking = Promise.all([
      liminal('agents', '--json'),
      liminal('doctor', '--json'),
      liminal('backup', '--json'),
      liminal('token', 'show', '--json'),
      liminal('token', 'forget', '--json'),
    ]);
    const sessionId = await start('Say hello');
    isOk(await liminal('wait', sessionId));
    const [agents, doctor, backup, token, wrong] = await looking;
    expect(linesOf('agents', agents)).toContainEqual(expect.objectContaining({ cliType: 'demo', available: true }));
    expect(linesOf('doctor', doctor)).toContainEqual(expect.objectContaining({ check: 'server', ok: true }));
    expect(JSON.parse(isOk(backup))).toEqual({ file: expect.stringContaining(join(dataDir, 'backups')) as string });
    const { port, token: secret } = await program.ready;
    expect(JSON.parse(isOk(token))).toEqual({ address: `http://127.0.0.1:${port}/`, token: secret });
    expect([wrong.code, JSON.parse(wrong.errors)]).toEqual([
      2,
      { error: { code: 'USAGE', message: expect.any(String) as string } },
    ]);

    const [file, copy] = [join(project.dir, 'session.html'), join(project.dir, 'session.json')];
    const [review, misused, markdown, json] = await Promise.all([
      liminal('review', sessionId, '--scope', 'turn'),
      liminal('review', sessionId, '--scope', 'everything'),
      liminal('export', sessionId),
      liminal('export', sessionId, '--json'),
      liminal('export', sessionId, '--format', 'html', '--output', file),
      liminal('export', sessionId, '--format', 'json', '--output', copy),
    ]);
    isOk(review);
    expect(misused.code).toBe(2);
    expect(isOk(markdown)).toContain('Say hello');
    expect(linesOf('export', json)).toHaveLength(1);
    const [again, imported, unreadable] = await Promise.all([
      liminal('export', sessionId, '--output', file),
      liminal('import', copy),
      liminal('import', file),
    ]);
    expect(again.errors).toContain('already exists');
    expect(unreadable.code).toBe(1);
    expect(isOk(await liminal('export', isOk(imported).trim()))).toContain('Say hello');
  });

  it('starts a server on request when none is running, one for two commands', { timeout: patience }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'liminal-cli-start-'));
    const own = { env: { ...env, LIMINAL_DATA_DIR: folder, LIMINAL_PORT: '0' }, cwd: project.dir };
    expect((await runLiminal(['run', '--agent', 'demo', 'Say hello'], own)).code).toBe(1);
    const begin = () => runLiminal(['run', '--agent', 'demo', '--start', '--wait', 'Say hello'], own);
    for (const ended of await Promise.all([begin(), begin()])) isOk(ended);
    const server = runningServer(folder);
    expect(server).not.toBeNull();
    process.kill(server?.pid ?? 0, 'SIGTERM');
    await expect.poll(() => runningServer(folder)).toBeNull();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
});

describe('liminal in a terminal', () => {
  it(
    'follows a session, shows a request, accepts the answer and messages, and asks what to stop',
    { timeout: patience },
    async () => {
      const sessionId = await start('Ask for permission');
      const terminal = openTerminal(['attach', sessionId], { env });
      await terminal.sees('Number and Enter:');
      terminal.type('7\r');
      await terminal.sees('Type a number from 1 to 3.');
      terminal.type('1\r');
      await terminal.sees('nothing was removed.');
      await terminal.sees('— done');
      terminal.type('question please\r');
      await terminal.sees('Question:');
      terminal.type('1\r');
      await terminal.sees('— done');
      terminal.type('long 100000\r');
      await terminal.sees('>\u001b[22m long 100000');
      terminal.type('\u0003');
      await terminal.sees('Stop what?');
      terminal.type('t\r');
      await terminal.sees('— stopped');
      terminal.type('\u0004');
      await terminal.sees('Detached.');
      expect(await terminal.closed).toBe(0);
      expect(terminal.screen()).toContain('\u001b[');
    },
  );

  it('behaves the same in a terminal as in a pipe, with the same exit codes', { timeout: patience }, async () => {
    const asks = await start('Ask for permission');
    const done = await start('Say hello');
    const copy = join(project.dir, 'from-terminal.json');
    const expectations: readonly (readonly [code: number, text: string, ...args: string[]])[] = [
      [0, 'You wrote: “Say hello”', 'run', '--agent', 'demo', '--wait', 'Say hello'],
      [4, 'The turn failed.', 'run', '--agent', 'demo', '--wait', 'error'],
      [3, 'rm -rf build', 'wait', asks],
      [0, 'Allow once: rm -rf build', 'allow', asks],
      [0, '', 'wait', asks],
      [1, '', 'refuse', asks],
      [0, 'You wrote: “Once more”', 'send', done, '--wait', 'Once more'],
      [124, '', 'run', '--agent', 'demo', '--wait', '--timeout', '0.3', 'long 100000'],
      [0, done, 'ls', '--json'],
      [0, '', 'review', done, '--scope', 'turn'],
      [0, '', 'export', done, '--format', 'json', '--output', copy],
      [0, '', 'import', copy],
      [0, 'Demo agent', 'agents'],
      [0, 'server', 'doctor', '--json'],
      [0, join(dataDir, 'backups'), 'backup'],
      [0, 'http://127.0.0.1:', 'token', 'show'],
      [0, 'complete', 'completion', 'bash'],
      [2, 'liminal', 'wait'],
      [2, 'liminal', 'no-such-command'],
    ];
    for (const [code, text, ...args] of expectations) {
      const terminal = openTerminal(args, { env, cwd: project.dir });
      expect({ args, code: await terminal.closed, screen: terminal.screen() }).toEqual({
        args,
        code,
        screen: expect.stringContaining(text) as string,
      });
    }
  });

  it('prints no colours with NO_COLOR', { timeout: patience }, async () => {
    const terminal = openTerminal(['ls'], { env: { ...env, NO_COLOR: '1' } });
    expect(await terminal.closed).toBe(0);
    expect(terminal.screen()).toContain('demo');
    expect(terminal.screen()).not.toContain('\u001b');
  });

  it('stays attached to a server that dies and comes back', { timeout: patience }, async () => {
    const { port } = await program.ready;
    const sessionId = await start('Say hello');
    isOk(await liminal('wait', sessionId));
    const terminal = openTerminal(['attach', sessionId], { env });
    await terminal.sees('— done');
    await program.stop('SIGKILL');
    await terminal.sees('Disconnected. Retrying…');
    program = startProgram({ dataDir, env: demo, args: ['--port', String(port)] });
    await program.ready;
    await terminal.sees('Reconnected.');
    terminal.type('And again\r');
    await terminal.sees('You wrote: “And again”');
    await terminal.sees('— done');
    terminal.type('\u0003');
    await terminal.sees('Stop what?');
    terminal.type('\r');
    expect(await terminal.closed).toBe(0);
  });
});
