import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@liminal/client/connect';
import { claudeHome, codexHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { startProgram } from '@liminal/stand-ins/testing/start-program';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonLines } from './testing/json-lines.ts';
import { endAfterAll } from './testing/end-after-all.ts';
import { type Ended, openTerminal, runLiminal } from './testing/start-liminal.ts';

// The command with the real Claude Code and the real Codex, whose model is scripted by the message.
const patience = 180_000;
const endLater = endAfterAll(patience);

const project = projectFolder();
endLater(project.cleanup);
const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '-m', 'First'], { cwd: project.dir });
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'liminal-cli-agents-'));
  endLater(() => rmSync(dataDir, { recursive: true, force: true }));
  const model = await startStandInModel();
  endLater(() => model.close());
  const homes = [claudeHome(model), codexHome(model)];
  for (const home of homes) endLater(home.cleanup);
  const program = startProgram({ dataDir, env: Object.assign({}, ...homes.map((home) => home.env)) });
  endLater(() => program.stop());
  const { url, token } = await program.ready;
  const added = await connect({ url, token }).project.add({ dir: project.dir });
  if (!added.ok) throw new Error(added.failure.message);
  await connect({ url, token }).project.trust(added.value.projectId, { trusted: true });
  const { LIMINAL_AGENT_MARK: _mark, LIMINAL_URL: _url, LIMINAL_TOKEN: _token, ...rest } = process.env;
  env = { ...rest, LIMINAL_DATA_DIR: dataDir };
}, patience);

const liminal = (...args: string[]) => runLiminal(args, { env, cwd: project.dir });
const linesOf = <Name extends keyof typeof jsonLines>(name: Name, { code, out, errors }: Ended, expected = 0) => {
  expect({ code, errors: code === expected ? '' : errors }).toEqual({ code: expected, errors: '' });
  const lines = out.trim().split('\n');
  return lines.map((line) => jsonLines[name].parse(JSON.parse(line))) as Record<string, unknown>[];
};

describe.each([
  { agent: 'claude-code', asks: '@bash touch made-by-claude' },
  { agent: 'codex', asks: '@shell! touch made-by-codex' },
])('liminal with the real $agent', ({ agent, asks }) => {
  it('CL-1: runs, waits, asks, allows, refuses, lists and exports in a pipe', { timeout: patience }, async () => {
    const [sent, done] = linesOf(
      'run',
      await liminal('run', '--agent', agent, '--wait', '--json', '@text All is well.'),
    );
    const { sessionId } = sent as { sessionId: string };
    expect(done).toMatchObject({ sessionId, state: 'done', answer: 'All is well.' });
    linesOf('send', await liminal('send', sessionId, `${asks}\n@text Made it.`, '--json'));
    expect(linesOf('wait', await liminal('wait', sessionId, '--json'), 3)).toMatchObject([{ state: 'waiting' }]);
    linesOf('allow', await liminal('allow', sessionId, '--json'));
    expect(linesOf('wait', await liminal('wait', sessionId, '--json'))).toMatchObject([{ answer: 'Made it.' }]);
    expect(linesOf('review', await liminal('review', sessionId, '--json'))).toContainEqual(
      expect.objectContaining({ path: asks.split(' ').at(-1), change: 'added' }),
    );
    linesOf('send', await liminal('send', sessionId, `${asks}\n@text Never mind.`, '--json'));
    expect((await liminal('wait', sessionId)).code).toBe(3);
    linesOf('refuse', await liminal('refuse', sessionId, '--json'));
    expect([0, 4]).toContain((await liminal('wait', sessionId)).code);
    const failed = await liminal('send', sessionId, '--wait', '--json', '@error 400 The model is out of order.');
    expect(linesOf('send', failed, 4).at(-1)).toMatchObject({ state: 'failed' });
    expect(linesOf('ls', await liminal('ls', '--json', '--project', '.'))).toContainEqual(
      expect.objectContaining({ sessionId, cliType: agent }),
    );
    expect(linesOf('attach', await liminal('attach', sessionId, '--json', '--all'), 4).length).toBeGreaterThan(3);
    linesOf('export', await liminal('export', sessionId, '--json'));
  });

  it('CL-1: asks in a terminal and accepts the answer and the next message', { timeout: patience }, async () => {
    const { out } = await liminal('run', '--agent', agent, `${asks}-too\n@text Made it.`);
    const terminal = openTerminal(['attach', out.trim()], { env });
    await terminal.sees('Number and Enter:');
    terminal.type('1\r');
    await terminal.sees('Made it.');
    await terminal.sees('— done');
    terminal.type('@slow 4000 20\r');
    await terminal.sees('w3');
    terminal.type('\u0003');
    await terminal.sees('Stop what?');
    terminal.type('t\r');
    await terminal.sees('— stopped');
    terminal.type('\u0004');
    expect(await terminal.closed).toBe(0);
  });
});

it('CL-1: starts a session in its own worktree', { timeout: patience }, async () => {
  const flags = ['--agent', 'claude-code', '--worktree', '--branch', 'try-it', '--wait', '--json'];
  const [sent] = linesOf('run', await liminal('run', ...flags, '@text Here I am.'));
  const { place } = sent as { place: { kind: string; folder: string; branch: string } };
  expect(place).toMatchObject({ kind: 'worktree', branch: 'try-it' });
  expect(place.folder).not.toBe(project.dir);
  const taken = await liminal('run', '--agent', 'claude-code', '--worktree', '--base', 'no-such-branch', 'x');
  expect([taken.code, taken.out]).toEqual([1, '']);
  expect((await liminal('run', '--branch', 'try-it', 'x')).code).toBe(2);
});
