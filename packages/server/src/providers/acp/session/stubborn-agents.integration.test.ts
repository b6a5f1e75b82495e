import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { CliProvider } from '../../provider.ts';
import type { AgentLimits } from '../connection/agent-deps.ts';
import { startProviderUnderTest } from '../testing/provider-under-test.ts';
import { opened, scriptedAgent, talkTo } from '../testing/scripted-agent.ts';

const dir = mkdtempSync(join(tmpdir(), 'liminal-stubborn-'));
afterAll(() => rmSync(dir, { recursive: true }));

let started: ReturnType<typeof startProviderUnderTest>;
afterEach(() => started.cleanup());

function start(body: string, limits: Partial<AgentLimits> = {}): CliProvider {
  started = startProviderUnderTest(scriptedAgent(body), {}, limits);
  return started.provider;
}
const noProcess = (): Promise<void> => vi.waitFor(async () => expect(await started.processes()).toEqual([]), 5_000);

const modes = `configOptions: [{ id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'a',
  options: [{ value: 'a', name: 'A' }, { value: 'b', name: 'B' }] }]`;

test('a 40 MB line in a turn ends the turn with the reason, and the process', async () => {
  const provider = start(
    `on['session/prompt'] = () => { say('so far'); process.stdout.write('x'.repeat(40 * 1024 * 1024)); };`,
  );
  const talk = await talkTo(provider, dir);
  await provider.sendMessage(talk.sessionId, 'hi');
  expect(await talk.ended()).toMatchObject({
    errorCode: 'PROCESS_CRASH',
    errorMessage: expect.stringMatching(/more than 33554432 bytes/) as string,
  });
  await noProcess();
});

test('stops an agent that no longer reads its input', async () => {
  const provider = start(
    `on['session/new'] = ({ id }) => { out({ id, result: { sessionId: 's1' } }); process.stdin.pause(); setInterval(() => {}, 1000); };`,
    {
      writeMs: 300,
    },
  );
  const talk = await talkTo(provider, dir);
  const closed = vi.fn<(reason: unknown) => void>();
  provider.onClosed?.(talk.sessionId, closed);
  await expect(provider.sendMessage(talk.sessionId, 'x'.repeat(4 * 1024 * 1024))).rejects.toMatchObject({
    code: 'AGENT_UNRESPONSIVE',
  });
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  await expect(provider.sendMessage(talk.sessionId, 'again')).rejects.toMatchObject({ code: 'PROCESS_CRASH' });
  await noProcess();
});

test('a turn is cancelled even if its message is still being written', async () => {
  const provider = start(
    `on['session/new'] = ({ id }) => { out({ id, result: { sessionId: 's1' } }); process.stdin.pause(); };
     process.on('SIGUSR2', () => process.stdin.resume());
     setInterval(() => {}, 1000);`,
  );
  const talk = await talkTo(provider, dir);
  const sending = provider.sendMessage(talk.sessionId, 'x'.repeat(4 * 1024 * 1024));
  await vi.waitFor(() => expect(provider.processOf?.(talk.sessionId)).toBeDefined());
  const cancelling = provider.cancelTurn(talk.sessionId);
  process.kill(provider.processOf?.(talk.sessionId) ?? 0, 'SIGUSR2');
  await Promise.all([sending, cancelling]);
  expect(await talk.ended()).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
});

test('stops an agent that never answers a mode choice at the start', async () => {
  const provider = start(
    `on['session/new'] = ({ id }) => out({ id, result: { sessionId: 's1', ${modes} } });
     on['session/set_config_option'] = () => {};`,
    { openMs: 300 },
  );
  const wanted = { projectDir: dir, providerOptions: { modeId: 'b' } };
  await expect(provider.createSession(wanted)).rejects.toMatchObject({ code: 'AGENT_UNRESPONSIVE' });
  await noProcess();
});

test('Q10: a mode that is gone keeps the session closed instead of running in another', async () => {
  const provider = start(
    `on['session/load'] = ({ id }) => out({ id, result: { ${modes} } });
     on['session/set_config_option'] = ({ id }) => out({ id, error: { code: -32602, message: 'no such mode' } });`,
  );
  const wanted = { projectDir: dir, providerOptions: { modeId: 'gone' } };
  await expect(provider.loadSession('s1', wanted)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(/"gone" as its mode/) as string,
  });
  await noProcess();
});

test('Q10: a reopened agent that reports no modes keeps the session closed instead of running in its own', async () => {
  const provider = start(
    `on['session/new'] = ({ id }) => out({ id, result: { sessionId: 's1', ${modes} } });
     on['session/load'] = ({ id }) => out({ id, result: {} });
     on['session/set_config_option'] = ({ id, params }) => out({ id, result: { configOptions: [
       { id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: params.value,
         options: [{ value: 'a', name: 'A' }, { value: 'b', name: 'B' }] }] } });`,
  );
  const wanted = { projectDir: dir, providerOptions: { modeId: 'b' } };
  const { sessionId } = await provider.createSession(wanted);
  await provider.killSession(sessionId);
  await expect(provider.loadSession(sessionId, wanted)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  await noProcess();
});

test('stops an agent that never answers a load as soon as the session is ended', async () => {
  const provider = start(`on['session/load'] = () => {};`);
  const loading = provider.loadSession('s1', { projectDir: dir });
  const refused = expect(loading).rejects.toMatchObject({ code: 'SESSION_DEAD' });
  await vi.waitFor(async () => expect(await started.processes()).not.toEqual([]), 5_000);
  await provider.killSession('s1');
  await refused;
  expect(provider.isAlive('s1')).toBe(false);
  await noProcess();
});

test('reports a login that expires mid-turn with the steps to fix it', async () => {
  const provider = start(`
    on['session/prompt'] = ({ id }) => out({ id, error: { code: -32000, message: 'Authentication required' } });`);
  const talk = await talkTo(provider, dir);
  await provider.sendMessage(talk.sessionId, 'hi');
  expect(await talk.ended()).toMatchObject({
    errorCode: 'AGENT_AUTH_REQUIRED',
    errorMessage: expect.stringMatching(/^Scripted isn't signed in/) as string,
  });
});

test('an empty input in a permission request doesn’t erase the known one', async () => {
  const provider = start(`
    on['session/prompt'] = async ({ id }) => {
      update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'ls', rawInput: { command: 'ls' }, status: 'pending' });
      await ask('session/request_permission', {
        toolCall: { toolCallId: 'c', rawInput: {} },
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }, { optionId: 'n', name: 'No', kind: 'reject_once' }],
      });
      out({ id, result: { stopReason: 'end_turn' } });
    };`);
  const talk = await talkTo(provider, dir);
  await provider.sendMessage(talk.sessionId, 'hi');
  expect(await opened(talk.asked)).toMatchObject({ title: 'ls', toolArguments: { command: 'ls' } });
  expect(talk.upserts.at(-1)).toMatchObject({ toolArguments: { command: 'ls' }, awaitingPermission: true });
});

test('Q13: an agent that can’t steer says so, and a turn that just ended is reported as ended', async () => {
  const provider = start(`
    on['_session/steering'] = ({ id }) => out({ id, result: { outcome: 'promptRequired' } });
    on['session/prompt'] = () => say('working');`);
  const talk = await talkTo(provider, dir);
  await provider.sendMessage(talk.sessionId, 'hi');
  await expect(provider.steer?.(talk.sessionId, 'more')).rejects.toMatchObject({ code: 'TURN_NOT_FOUND' });
  expect(provider.capabilities.steer).toBe(false);
});

test('an agent without a session list, or with a failing one, affects no others', async () => {
  const silent = start('');
  expect(silent.capabilities.discover).toBe(true);
  expect(await silent.listSessions?.(dir)).toEqual([]);
  expect(silent.capabilities.discover).toBe(false);
  await noProcess();
  await started.cleanup();
  const failing = start(`
    const agentCapabilities = { sessionCapabilities: { list: {} } };
    on.initialize = ({ id }) => out({ id, result: { protocolVersion: 1, agentCapabilities } });
    on['session/list'] = ({ id }) => out({ id, error: { code: -32000, message: 'Authentication required' } });`);
  await expect(failing.listSessions?.(dir)).rejects.toMatchObject({ code: 'AGENT_AUTH_REQUIRED' });
  await noProcess();
});

test('reads a list page by page, and only the sessions of the folder', async () => {
  const provider = start(`
    const agentCapabilities = { sessionCapabilities: { list: {} } };
    on.initialize = ({ id }) => out({ id, result: { protocolVersion: 1, agentCapabilities } });
    on['session/list'] = ({ id, params }) => out({ id, result: params.cursor
      ? { sessions: [{ sessionId: 'b', cwd: params.cwd }, { sessionId: 'x', cwd: '/elsewhere' }, { title: 'no id' }] }
      : { sessions: [{ sessionId: 'a', cwd: params.cwd, title: 'A', updatedAt: '2026-01-02T03:04:05+02:00' }], nextCursor: 'n' } });`);
  expect(await provider.listSessions?.(dir)).toEqual([
    { sessionId: 'a', cliType: 'scripted', title: 'A', updatedAt: '2026-01-02T01:04:05.000Z', size: 0 },
    { sessionId: 'b', cliType: 'scripted', title: 'Untitled', updatedAt: '1970-01-01T00:00:00.000Z', size: 0 },
  ]);
});

test('uses a changed entry from the next session on, and leaves running ones alone', async () => {
  const provider = start(
    `on['session/prompt'] = ({ id }) => { say('first'); out({ id, result: { stopReason: 'end_turn' } }); };`,
  );
  const talk = await talkTo(provider, dir);
  started.redefine(
    scriptedAgent(`on['session/new'] = ({ id }) => out({ id, result: { sessionId: 's2' } });`, { name: 'Renamed' }),
  );
  expect(provider.name).toBe('Renamed');
  await provider.sendMessage(talk.sessionId, 'hi');
  expect(await talk.ended()).toMatchObject({ status: 'completed' });
  expect((await provider.createSession({ projectDir: dir })).sessionId).toBe('s2');
});

const longest = 2 ** 31 - 1;

test('the server stops although an agent that is starting never answers', async () => {
  const provider = start(`on.initialize = () => {};`, { initializeMs: longest });
  const creating = provider.createSession({ projectDir: dir });
  creating.catch(() => {});
  await vi.waitFor(() => expect(started.starts()).toBe(1));
  // It waits for the first start.
  const loading = provider.loadSession('s1', { projectDir: dir });
  loading.catch(() => {});
  await provider.close();
  await expect(creating).rejects.toMatchObject({ code: 'SESSION_CREATE_FAILED' });
  await expect(creating).rejects.toThrow('shutting down');
  await expect(loading).rejects.toMatchObject({ code: 'SESSION_DEAD' });
  await noProcess();
});

test('the server stops although an agent never lists its sessions', async () => {
  const list = `agentCapabilities: { sessionCapabilities: { list: {} } }`;
  const provider = start(`on.initialize = ({ id }) => out({ id, result: { protocolVersion: 1, ${list} } });`, {
    listMs: longest,
  });
  const listing = provider.listSessions?.(dir);
  listing?.catch(() => {});
  await vi.waitFor(() => expect(started.starts()).toBe(1));
  await provider.close();
  await expect(listing).rejects.toMatchObject({ code: 'SESSION_CREATE_FAILED' });
  await noProcess();
});
