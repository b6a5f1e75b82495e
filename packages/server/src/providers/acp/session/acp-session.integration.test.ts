import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { CliProvider } from '../../provider.ts';
import type { AgentLimits } from '../connection/agent-deps.ts';
import { startProviderUnderTest } from '../testing/provider-under-test.ts';
import { opened, scriptedAgent, talkTo } from '../testing/scripted-agent.ts';

const dir = mkdtempSync(join(tmpdir(), 'liminal-scripted-'));
afterAll(() => rmSync(dir, { recursive: true }));

let started: ReturnType<typeof startProviderUnderTest> | undefined;
afterEach(() => started?.cleanup());

function start(body: string, limits: Partial<AgentLimits> = {}): CliProvider {
  started = startProviderUnderTest(scriptedAgent(body), {}, limits);
  return started.provider;
}

const noProcess = (): Promise<void> => vi.waitFor(async () => expect(await started?.processes()).toEqual([]));

test('TC-4.1a, TC-4.1c: create runs session/new, send runs session/prompt and returns once the turn is bound', async () => {
  const provider = start(`
    let cwd;
    on['session/new'] = ({ id, params }) => { cwd = params.cwd; out({ id, result: { sessionId: 's1' } }); };
    on['session/prompt'] = ({ id, params }) => {
      say(cwd + ' ' + params.sessionId + ' ' + params.prompt[0].text);
      setTimeout(() => out({ id, result: { stopReason: 'end_turn' } }), 50);
    };`);
  const talking = await talkTo(provider, dir);
  expect(talking.sessionId).toBe('s1');
  expect(await provider.sendMessage('s1', 'hi', { turnId: 't' })).toEqual({ turnId: 't' });
  expect(talking.turns.map(({ type }) => type)).toEqual(['turn_started']);
  await talking.ended();
  expect(talking.upserts.at(-1)).toMatchObject({ content: `${dir} s1 hi` });
});

test('TC-4.1b: load runs session/load, replays the record, and the session continues', async () => {
  const provider = start(`
    on['session/load'] = ({ id, params }) => {
      update({ sessionUpdate: 'user_message_chunk', messageId: 'u', content: { type: 'text', text: 'before' } });
      say('an old answer');
      out({ id, result: {} });
    };`);
  await provider.loadSession('s1', { projectDir: dir });
  expect((await provider.readHistory?.('s1'))?.entries).toMatchObject([
    { upsert: { origin: 'user', content: 'before' } },
    { upsert: { origin: 'agent', content: 'an old answer' } },
  ]);
  const heard: string[] = [];
  provider.onUpsert('s1', (upsert) => heard.push(upsert.turnId));
  await provider.sendMessage('s1', 'hi', { turnId: 'new' });
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0));
  expect(new Set(heard)).toEqual(new Set(['new']));
});

describe('an agent that behaves oddly still works', () => {
  test('ignores log lines on stdout, unknown updates, unknown notifications and stray answers', async () => {
    const provider = start(`
      console.log('Loading models…');
      on['session/prompt'] = ({ id }) => {
        console.log('{"half":');
        update({ sessionUpdate: 'hologram', shape: 'cube' });
        out({ method: '_vendor/news', params: {} });
        out({ id: 4242, result: {} });
        say('hel'); say('lo');
        out({ id, result: { stopReason: 'end_turn' } });
        out({ id, result: { stopReason: 'end_turn' } });
      };`);
    const talking = await talkTo(provider, dir);
    await provider.sendMessage(talking.sessionId, 'hi');
    expect(await talking.ended()).toMatchObject({ type: 'turn_complete', status: 'completed' });
    expect(talking.upserts.at(-1)).toMatchObject({ content: 'hello', status: 'complete' });
    expect(provider.isAlive(talking.sessionId)).toBe(true);
  });

  test('keeps updates that arrive before the answer to session/new', async () => {
    const provider = start(`
      on['session/new'] = ({ id }) => {
        update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'go', description: 'Go' }] });
        out({ id, result: { sessionId: 's1' } });
      };`);
    const talking = await talkTo(provider, dir);
    expect(talking.infos.at(-1)).toMatchObject({ commands: [{ name: 'go', description: 'Go' }] });
  });

  test('answers a request we do not support with -32601', async () => {
    const provider = start(`
      on['session/prompt'] = async ({ id }) => {
        say(JSON.stringify(await ask('craft/drainMidTurnQueue', {})));
        out({ id, result: { stopReason: 'end_turn' } });
      };`);
    const talking = await talkTo(provider, dir);
    await provider.sendMessage(talking.sessionId, 'hi');
    await talking.ended();
    expect(talking.upserts.at(-1)).toMatchObject({ content: expect.stringContaining('-32601') as string });
  });

  test('answers two messages sent at once one after the other', async () => {
    const provider = start(`
      on['session/prompt'] = ({ id, params }) => {
        say(params.prompt[0].text);
        setTimeout(() => out({ id, result: { stopReason: 'end_turn' } }), 30);
      };`);
    const talking = await talkTo(provider, dir);
    const [a, b] = [
      provider.sendMessage(talking.sessionId, 'one', { turnId: 'a' }),
      provider.sendMessage(talking.sessionId, 'two', { turnId: 'b' }),
    ];
    await Promise.all([a, b]);
    await vi.waitFor(() => expect(talking.turns).toHaveLength(4));
    expect(talking.turns.map(({ turnId, type }) => `${turnId} ${type}`)).toEqual([
      'a turn_started',
      'a turn_complete',
      'b turn_started',
      'b turn_complete',
    ]);
  });
});

describe('permissions', () => {
  const asking = (options: string): string => `
    on['session/prompt'] = async ({ id }) => {
      const toolCall = { toolCallId: 'c1', title: 'rm x', kind: 'execute', status: 'pending', rawInput: { command: 'rm x' } };
      const reply = await ask('session/request_permission', { toolCall, options: ${options} });
      say(JSON.stringify(reply.outcome));
      out({ id, result: { stopReason: 'end_turn' } });
    };`;
  const both = `[{ optionId: 'y', name: 'Yes', kind: 'allow_once' }, { optionId: 'n', name: 'No', kind: 'reject_once' }]`;

  test('PM-1: a request has the agent’s own options and is answered by the id of one', async () => {
    const provider = start(asking(both));
    const talking = await talkTo(provider, dir);
    const { turnId } = await provider.sendMessage(talking.sessionId, 'hi');
    const request = await opened(talking.asked);
    expect(request).toMatchObject({
      turnId,
      callId: 'c1',
      kind: 'tool',
      title: 'rm x',
      toolArguments: { command: 'rm x' },
      options: [
        { optionId: 'y', name: 'Yes', kind: 'allow_once' },
        { optionId: 'n', name: 'No', kind: 'reject_once' },
      ],
    });
    expect(talking.upserts.at(-1)).toMatchObject({ type: 'tool_call', status: 'create', awaitingPermission: true });
    const answer = { requestId: request.requestId, optionId: 'y' };
    await expect(provider.resolvePermission?.(talking.sessionId, { ...answer, optionId: 'x' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await provider.resolvePermission?.(talking.sessionId, answer);
    await expect(provider.resolvePermission?.(talking.sessionId, answer)).rejects.toMatchObject({
      code: 'PERMISSION_NOT_FOUND',
    });
    await talking.ended();
    expect(talking.upserts.at(-1)).toMatchObject({ content: '{"outcome":"selected","optionId":"y"}' });
  });

  test('PM-1: adds a refusal, meaning ACP’s cancelled, if an agent offers none', async () => {
    const provider = start(asking(`[{ optionId: 'y', name: 'Yes', kind: 'allow_once' }]`));
    const talking = await talkTo(provider, dir);
    await provider.sendMessage(talking.sessionId, 'hi');
    const request = await opened(talking.asked);
    const reject = request.options.find((option) => option.kind === 'reject_once');
    expect(reject?.name).toBe('Reject');
    await provider.resolvePermission?.(talking.sessionId, {
      requestId: request.requestId,
      optionId: reject?.optionId ?? '',
    });
    await talking.ended();
    expect(talking.upserts.findLast((upsert) => upsert.type === 'message')).toMatchObject({
      content: '{"outcome":"cancelled"}',
    });
    // The agent never reported the outcome of the refused call.
    expect(talking.upserts.find((upsert) => upsert.type === 'tool_call' && upsert.status === 'complete')).toMatchObject(
      {
        toolOutputIsError: true,
      },
    );
  });

  test('PM-3: cancels a request that cannot be accepted, and never approves it', async () => {
    const provider = start(asking(`[{ optionId: 'z', name: 'Hm', kind: 'maybe' }]`));
    const talking = await talkTo(provider, dir);
    await provider.sendMessage(talking.sessionId, 'hi');
    await talking.ended();
    expect(talking.asked).toEqual([]);
    expect(talking.upserts.at(-1)).toMatchObject({ content: '{"outcome":"cancelled"}' });
  });

  test.each([
    ['when the agent withdraws it', `out({ method: '$/cancel_request', params: { requestId: 100 } });`, /withdrew/],
    ['when the agent dies', `process.exit(1);`, /stopped/],
    ['with the turn', `out({ id, result: { stopReason: 'end_turn' } });`, /turn ended/],
  ])('PM-2: a request ends %s', async (_, then, reason) => {
    const provider = start(`
      on['session/prompt'] = ({ id }) => {
        void ask('session/request_permission', { toolCall: { toolCallId: 'c1' }, options: ${both} });
        setTimeout(() => { ${then} }, 30);
      };`);
    const talking = await talkTo(provider, dir);
    await provider.sendMessage(talking.sessionId, 'hi');
    const { requestId } = await opened(talking.asked);
    await vi.waitFor(() =>
      expect(talking.asked.at(-1)).toEqual({
        state: 'ended',
        requestId,
        reason: expect.stringMatching(reason) as string,
      }),
    );
  });

  test('PM-2: cancel answers every open request as cancelled', async () => {
    const provider = start(`${asking(both)}
      on['session/cancel'] = () => {};`);
    const talking = await talkTo(provider, dir);
    await provider.sendMessage(talking.sessionId, 'hi');
    await opened(talking.asked);
    await provider.cancelTurn(talking.sessionId);
    expect(await talking.ended()).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
    expect(talking.upserts.at(-1)).toMatchObject({ content: '{"outcome":"cancelled"}' });
  });
});

test('ends an agent that ignores cancel, and informs the user', async () => {
  const provider = start(`on['session/prompt'] = () => say('on and on');`, { cancelMs: 300 });
  const talking = await talkTo(provider, dir);
  const closed = vi.fn<(reason: unknown) => void>();
  provider.onClosed?.(talking.sessionId, closed);
  await provider.sendMessage(talking.sessionId, 'hi');
  await provider.cancelTurn(talking.sessionId);
  expect(await talking.ended()).toMatchObject({ type: 'turn_error', errorCode: 'AGENT_UNRESPONSIVE' });
  expect(closed).toHaveBeenCalledTimes(1);
  await noProcess();
});

test('NFR-5: emits the last text of an agent that dies in a turn', async () => {
  const provider = start(
    `on['session/prompt'] = () => { say('so far'); console.error('\\x1b[31mout of memory\\x1b[0m'); process.exit(9); };`,
  );
  const talking = await talkTo(provider, dir);
  await provider.sendMessage(talking.sessionId, 'hi');
  expect(await talking.ended()).toMatchObject({
    errorCode: 'PROCESS_CRASH',
    errorMessage: 'Scripted stopped (exit code 9). Last output: out of memory',
  });
  expect(talking.upserts.at(-1)).toMatchObject({ content: 'so far', status: 'error', errorCode: 'PROCESS_CRASH' });
});

test('NFR-4: emits the first text while the turn continues and nothing follows it', async () => {
  const provider = start(`on['session/prompt'] = () => say('a');`);
  const talking = await talkTo(provider, dir);
  await provider.sendMessage(talking.sessionId, 'hi');
  await vi.waitFor(() => expect(talking.upserts).toMatchObject([{ content: 'a' }]), { timeout: 20_000 });
  expect(talking.turns.map(({ type }) => type)).toEqual(['turn_started']);
  await provider.killSession(talking.sessionId);
  expect(talking.turns.at(-1)).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
});
