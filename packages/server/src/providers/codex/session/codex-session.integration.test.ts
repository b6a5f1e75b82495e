import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionInfo } from '@liminal/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { opened, type Talk, talkTo } from '../../acp/testing/scripted-agent.ts';
import type { CliProvider } from '../../provider.ts';
import { type NativeUnderTest, startNative } from '../testing/native-under-test.ts';

const patience = 20_000;

// The real Codex on its own protocol; codex-session.integration.test.ts of the ACP provider runs it behind its adapter.
let codex: NativeUnderTest;
let provider: CliProvider;
beforeAll(async () => {
  codex = await startNative({ mode: 'read-only' });
  ({ provider } = codex);
});
afterAll(() => codex.cleanup());

const begin = (): Promise<Talk> => talkTo(provider, codex.projectDir, patience);
const callsOf = ({ upserts }: Talk) => upserts.filter((upsert) => upsert.type === 'tool_call');
const latest = ({ infos }: Talk): SessionInfo => infos.at(-1) ?? {};
const next = (talk: Talk, turnId: string): Promise<void> =>
  vi.waitFor(() => expect(talk.turns.at(-1)).toMatchObject({ turnId, status: 'completed' }), patience);

test('CX-1 TC-4.1a TC-4.1c TC-4.2a: creates a session, sends a message, and accumulates its chunks', async () => {
  const talk = await begin();
  expect(talk.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await provider.sendMessage(talk.sessionId, '@think hm\n@text one two three', { turnId: 't' })).toEqual({
    turnId: 't',
  });
  expect(await talk.ended()).toMatchObject({
    type: 'turn_complete',
    status: 'completed',
    turnId: 't',
    usage: { inputTokens: 100, outputTokens: 10 },
  });
  expect(talk.turns[0]).toMatchObject({ type: 'turn_started', modelId: 'gpt-5.5' });
  expect(talk.upserts.findLast(({ type }) => type === 'thinking')).toMatchObject({ content: 'hm', status: 'complete' });
  expect(talk.upserts.at(-1)).toMatchObject({ content: 'one two three', status: 'complete', origin: 'agent' });
  // The list of models, which names the effort, is requested after the first message.
  await expect
    .poll(() => latest(talk), { timeout: patience })
    .toMatchObject({
      modeId: 'read-only',
      modelId: 'gpt-5.5',
      effort: 'medium',
      account: { kind: 'none' },
      context: { used: 110 },
      sessionUsage: { inputTokens: 100 },
    });
});

test('CX-1 TC-4.2b TC-4.2c: creates a call, and completes it with its full output under the same itemId', async () => {
  writeFileSync(join(codex.projectDir, 'three.txt'), '1\n2\n3\n');
  const talk = await begin();
  await provider.sendMessage(
    talk.sessionId,
    '@shell cat three.txt\n@shell echo first; sleep 0.4; echo second; exit 3\n@text ok',
  );
  await talk.ended();
  const [read, run] = [...Map.groupBy(callsOf(talk), ({ itemId }) => itemId).values()];
  expect(read?.[0]).toMatchObject({ status: 'create', toolKind: 'read', toolName: 'exec_command' });
  expect(read?.at(-1)).toMatchObject({ status: 'complete', toolOutput: '1\n2\n3\n', toolOutputIsError: false });
  // Behind the adapter the first line is lost.
  expect(run?.at(-1)).toMatchObject({ status: 'complete', toolOutput: 'first\nsecond\n', toolOutputIsError: true });
});

describe('permissions', () => {
  const ask = async (prompt = '@shell! touch made\n@text done'): Promise<{ talk: Talk; requestId: string }> => {
    const talk = await begin();
    await provider.sendMessage(talk.sessionId, prompt);
    const request = await opened(talk.asked, patience);
    return { talk, requestId: request.requestId };
  };

  test('CX-1 PM-1: an allowed command runs, and the request shows the command itself', async () => {
    const { talk, requestId } = await ask();
    expect(talk.asked[0]).toMatchObject({ request: { kind: 'tool', toolArguments: { command: 'touch made' } } });
    await provider.resolvePermission?.(talk.sessionId, { requestId, optionId: 'allow_once' });
    expect(await talk.ended()).toMatchObject({ status: 'completed' });
    expect(existsSync(join(codex.projectDir, 'made'))).toBe(true);
  });

  test('CX-1: declining lets the turn continue; a patch is shown line by line', async () => {
    const { talk, requestId } = await ask('@patch notes.txt|hello\n@text went on');
    expect(talk.asked[0]).toMatchObject({
      request: { diffs: [{ path: join(codex.projectDir, 'notes.txt'), oldText: null, newText: 'hello\n' }] },
    });
    await provider.resolvePermission?.(talk.sessionId, { requestId, optionId: 'decline' });
    expect(await talk.ended()).toMatchObject({ status: 'completed' });
    expect(talk.upserts.at(-1)).toMatchObject({ content: 'went on' });
    expect(callsOf(talk).at(-1)).toMatchObject({ status: 'complete', toolOutputIsError: true });
    expect(existsSync(join(codex.projectDir, 'notes.txt'))).toBe(false);
  });

  test('CX-1: refusing and stopping ends the turn as cancelled, and the session accepts the next message', async () => {
    const { talk, requestId } = await ask();
    await provider.resolvePermission?.(talk.sessionId, { requestId, optionId: 'cancel' });
    expect(await talk.ended()).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
    await provider.sendMessage(talk.sessionId, '@text still here', { turnId: 'next' });
    await next(talk, 'next');
  });

  test('CX-1: cancel during a permission request ends the request and the turn', async () => {
    const { talk, requestId } = await ask();
    await provider.cancelTurn(talk.sessionId);
    expect(await talk.ended()).toMatchObject({ status: 'cancelled' });
    expect(talk.asked.at(-1)).toMatchObject({ state: 'ended', requestId });
  });
});

test('CX-1: a command that was running when its turn was cancelled ends, and is never complete', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@shell sleep 20; echo late\n@text no');
  await vi.waitFor(() => expect(callsOf(talk)).toHaveLength(1), patience);
  await provider.cancelTurn(talk.sessionId);
  expect(await talk.ended()).toMatchObject({ status: 'cancelled' });
  expect(callsOf(talk).map(({ status }) => status)).not.toContain('complete');
  expect(provider.hasBackgroundWork?.(talk.sessionId)).toBe(false);
});

test('CX-1: a background command keeps reporting after its turn', async () => {
  const talk = await begin();
  const input = JSON.stringify({ cmd: 'for i in 1 2 3; do sleep 0.6; echo tick $i; done', yield_time_ms: 250 });
  await provider.sendMessage(talk.sessionId, `@tool exec_command ${input}\n@text left it running`);
  expect(await talk.ended()).toMatchObject({ status: 'completed' });
  expect(provider.hasBackgroundWork?.(talk.sessionId)).toBe(true);
  await vi.waitFor(() => expect(callsOf(talk).at(-1)).toMatchObject({ status: 'complete' }), patience);
  expect(callsOf(talk).at(-1)).toMatchObject({ toolOutput: expect.stringContaining('tick 3') as string });
  expect(provider.hasBackgroundWork?.(talk.sessionId)).toBe(false);
});

test('CX-1: a failing model is a turn_error with its kind, and the session continues', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@error 429 slow down');
  expect(await talk.ended()).toMatchObject({ type: 'turn_error', errorCode: 'RATE_LIMITED' });
  await provider.sendMessage(talk.sessionId, '@text better', { turnId: 'next' });
  await next(talk, 'next');
});

test('CX-1: a steered message goes into the running turn, and a second one waits for its end', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@slow 60 50', { turnId: 'a' });
  await vi.waitFor(() => expect(talk.upserts.length).toBeGreaterThan(0), patience);
  const second = provider.sendMessage(talk.sessionId, '@text second', { turnId: 'b' });
  await provider.steer?.(talk.sessionId, '@text steered');
  expect(await second).toEqual({ turnId: 'b' });
  await vi.waitFor(() => expect(talk.turns).toHaveLength(4), patience);
  expect(talk.turns.map(({ turnId, type }) => `${turnId} ${type}`)).toEqual([
    'a turn_started',
    'a turn_complete',
    'b turn_started',
    'b turn_complete',
  ]);
  const lastOf = (turnId: string): unknown => talk.upserts.findLast((upsert) => upsert.turnId === turnId);
  expect(lastOf('a')).toMatchObject({ content: expect.stringContaining('steered') as string });
  expect(lastOf('b')).toMatchObject({ content: 'second' });
  await expect(provider.steer?.(talk.sessionId, '@text too late')).rejects.toMatchObject({ code: 'TURN_NOT_FOUND' });
});

test('CX-1 MM-5: models with efforts and modes are Codex’s own; unknown ones are refused', async () => {
  const talk = await begin();
  await provider.setModel?.(talk.sessionId, 'gpt-6-astra');
  await provider.setEffort?.(talk.sessionId, 'ultra');
  await provider.setMode?.(talk.sessionId, 'workspace-write');
  expect(latest(talk)).toMatchObject({ modelId: 'gpt-6-astra', effort: 'ultra', modeId: 'workspace-write' });
  await expect(provider.setModel?.(talk.sessionId, 'no-such')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(provider.setMode?.(talk.sessionId, 'no-such')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(provider.setEffort?.(talk.sessionId, 'no-such')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await provider.setModel?.(talk.sessionId, 'gpt-5.5');
  expect(latest(talk)).toMatchObject({ modelId: 'gpt-5.5', effort: 'medium' });
  await provider.sendMessage(talk.sessionId, '@patch by-mode.txt|hello\n@text done');
  expect(await talk.ended()).toMatchObject({ status: 'completed' });
  expect(existsSync(join(codex.projectDir, 'by-mode.txt'))).toBe(true);
  expect(latest(talk).turnPatch).toMatchObject({ files: [{ path: 'by-mode.txt', additions: 1, deletions: 0 }] });
});

test('CX-1: plan mode asks its questions, and its plan runs once the user approves it', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '/plan', { turnId: 'plan' });
  await next(talk, 'plan');
  const plan = '<proposed_plan>\\n# Plan\\n- a\\n</proposed_plan>';
  await provider.sendMessage(talk.sessionId, `@ask Which colour?|Red|Blue\n@text ${plan}`, { turnId: 'planned' });
  const { requestId } = await opened(talk.asked, patience);
  expect(talk.asked[0]).toMatchObject({ request: { kind: 'question', questions: [{ question: 'Which colour?' }] } });
  await provider.resolvePermission?.(talk.sessionId, { requestId, optionId: 'accept', answers: { q1: ['Blue'] } });
  const asked = await vi.waitFor(() => {
    const last = talk.asked.at(-1);
    if (last?.state !== 'open' || last.request.kind !== 'plan') throw new Error('the plan was not asked about');
    return last.request;
  }, patience);
  expect(asked.toolArguments).toEqual({ plan: '# Plan\n- a\n' });
  await provider.resolvePermission?.(talk.sessionId, { requestId: asked.requestId, optionId: 'implement_plan' });
  await next(talk, 'planned');
  expect(talk.upserts.at(-1)).toMatchObject({
    turnId: 'planned',
    content: expect.stringContaining('Implement the plan') as string,
  });
});

test('CX-1: plan mode stays on in the next process of its session, until the user leaves it', async () => {
  const talk = await begin();
  const { sessionId } = talk;
  await provider.sendMessage(sessionId, '@text hello', { turnId: 'hello' });
  await next(talk, 'hello');
  await provider.sendMessage(sessionId, '/plan', { turnId: 'on' });
  await next(talk, 'on');
  const { isPlanning } = latest(talk);
  expect(isPlanning).toBe(true);
  await provider.killSession(sessionId);
  await provider.loadSession(sessionId, { projectDir: codex.projectDir, providerOptions: { isPlanning: true } });
  const plan = '<proposed_plan>\\n# Plan\\n- a\\n</proposed_plan>';
  await provider.sendMessage(sessionId, `@text ${plan}`, { turnId: 'planned' });
  const asked = await opened(talk.asked, patience);
  expect(asked).toMatchObject({ kind: 'plan', toolArguments: { plan: '# Plan\n- a\n' } });
  await provider.cancelTurn(sessionId);
  await vi.waitFor(() => expect(talk.turns.at(-1)).toMatchObject({ turnId: 'planned', status: 'cancelled' }), patience);
  await provider.sendMessage(sessionId, '/plan', { turnId: 'off' });
  await next(talk, 'off');
  expect(latest(talk).isPlanning).toBe(false);
});

test('CX-1: a review runs as its own turn, and reports its findings once', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '/review @text looks fine', { turnId: 'review' });
  await next(talk, 'review');
  const said = new Map(talk.upserts.flatMap((upsert) => (upsert.type === 'message' ? [[upsert.itemId, upsert]] : [])));
  expect([...said.values()].filter(({ origin }) => origin === 'agent').map(({ content }) => content)).toEqual([
    'looks fine',
  ]);
});
