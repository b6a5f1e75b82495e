import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { CliProvider } from '../../provider.ts';
import type { AgentLimits } from '../connection/agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import { startProviderUnderTest } from '../testing/provider-under-test.ts';
import { scriptedAgent } from '../testing/scripted-agent.ts';

const dir = mkdtempSync(join(tmpdir(), 'liminal-scripted-'));
afterAll(() => rmSync(dir, { recursive: true }));

let started: ReturnType<typeof startProviderUnderTest> | undefined;
afterEach(() => started?.cleanup());

function start(body: string, limits: Partial<AgentLimits> = {}, spec: Partial<AgentSpec> = {}): CliProvider {
  started = startProviderUnderTest(scriptedAgent(body, spec), {}, limits);
  return started.provider;
}

const noProcess = (): Promise<void> =>
  vi.waitFor(async () => expect(await started?.processes()).toEqual([]), { timeout: 10_000 });

describe('an agent that can’t be opened fails with the reason and leaves no process', () => {
  test.each([
    [
      'exits immediately',
      `process.stderr.write('no licence'); process.exit(3);`,
      'SESSION_CREATE_FAILED',
      /exit code 3.*no licence/s,
    ],
    [
      'prints only garbage and exits',
      `console.log('Usage: agent [options]'); process.exit(0);`,
      'SESSION_CREATE_FAILED',
      /Usage: agent/,
    ],
    [
      'answers nothing',
      `on.initialize = () => {};`,
      'AGENT_UNRESPONSIVE',
      /didn't respond within 0.5 s/,
      { initializeMs: 500 },
    ],
    [
      'uses another protocol version',
      `on.initialize = ({ id }) => out({ id, result: { protocolVersion: 7 } });`,
      'PROTOCOL_ERROR',
      /version 7/,
    ],
    [
      'refuses to initialize',
      `on.initialize = ({ id }) => out({ id, error: { code: -32603, message: 'no' } });`,
      'PROTOCOL_ERROR',
      /no/,
    ],
    [
      'sends a 40 MB line',
      `on.initialize = ({ id }) => process.stdout.write('{"x":"' + 'x'.repeat(40 * 1024 * 1024) + '"}\\n');`,
      'SESSION_CREATE_FAILED',
      /more than 33554432 bytes/,
    ],
    [
      'dies while opening',
      `on['session/new'] = () => { console.error('boom'); process.exit(1); };`,
      'SESSION_CREATE_FAILED',
      /boom/,
    ],
    [
      'opens nothing',
      `on['session/new'] = () => {};`,
      'AGENT_UNRESPONSIVE',
      /didn't open the session within 0.5 s/,
      // The start may take as long as it needs; only the answer that never comes is limited.
      { openMs: 500 },
    ],
    [
      'returns no session id',
      `on['session/new'] = ({ id }) => out({ id, result: {} });`,
      'PROTOCOL_ERROR',
      /without an id/,
    ],
    [
      'needs a login',
      `on.initialize = ({ id }) => out({ id, result: { protocolVersion: 1, authMethods: [{ id: 'k', name: 'API key', description: 'Set KEY' }] } });
       on['session/new'] = ({ id }) => out({ id, error: { code: -32000, message: 'Authentication required' } });`,
      'AGENT_AUTH_REQUIRED',
      /isn't signed in.*• API key: Set KEY/s,
    ],
  ])('%s', async (_, body, code, message, limits?: Partial<AgentLimits>) => {
    const provider = start(body, limits);
    await expect(provider.createSession({ projectDir: dir })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    await noProcess();
  });

  test.each([
    ['updates', { earlyUpdates: 100 }, /more than 100 updates before/],
    ['bytes', { earlyBytes: 4096 }, /more than 4 KiB before/],
  ])('sends more %s before its session is open than any session has', async (_, limits, words) => {
    const provider = start(
      `on['session/new'] = ({ id }) => {
        for (let said = 0; said < 101; said += 1) say('more');
        out({ id, result: { sessionId: 's1' } });
      };`,
      limits,
    );
    await expect(provider.createSession({ projectDir: dir })).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
      message: expect.stringMatching(words) as string,
    });
    await noProcess();
  });

  test('has a command that does not exist', async () => {
    const provider = start('', {}, { command: '/no/such/agent' });
    expect(await provider.availability()).toMatchObject({ available: false });
    await expect(provider.createSession({ projectDir: dir })).rejects.toMatchObject({ code: 'AGENT_NOT_INSTALLED' });
  });

  test('is a file that is not a program', async () => {
    writeFileSync(join(dir, 'notes.txt'), 'no program');
    const provider = start('', {}, { command: join(dir, 'notes.txt') });
    await expect(provider.createSession({ projectDir: dir })).rejects.toMatchObject({ code: 'AGENT_NOT_INSTALLED' });
  });

  test('lacks the requested mode', async () => {
    const provider = start('');
    await expect(
      provider.createSession({ projectDir: dir, providerOptions: { modeId: 'yolo' } }),
    ).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    });
    await noProcess();
  });
});

describe('an agent that can neither load nor choose', () => {
  const body = `on.initialize = ({ id }) => out({ id, result: { protocolVersion: 1, agentCapabilities: {} } });`;

  test('reports that once it has run, without another start', async () => {
    const provider = start(body);
    const { sessionId } = await provider.createSession({ projectDir: dir });
    expect(provider.capabilities).toMatchObject({ load: false, models: false, modes: false, efforts: false });
    await provider.killSession(sessionId);
    const starts = started?.starts();
    await expect(provider.loadSession(sessionId)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    expect(started?.starts()).toBe(starts);
  });

  test('opens an unused session as a new one', async () => {
    const provider = start(body);
    const { sessionId } = await provider.createSession({ projectDir: dir });
    await provider.killSession(sessionId);
    await provider.loadSession(sessionId, { unused: true });
    expect(provider.isAlive(sessionId)).toBe(true);
  });
});

test('CX-2: a notice about the agent is shown when a session begins', async () => {
  const provider = start('', {}, { notice: 'It is used through its adapter.' });
  const { sessionId } = await provider.createSession({ projectDir: dir });
  const said: unknown[] = [];
  provider.onUpsert(sessionId, (upsert) => said.push(upsert));
  expect(said).toMatchObject([{ type: 'message', origin: 'system', content: 'It is used through its adapter.' }]);
});
