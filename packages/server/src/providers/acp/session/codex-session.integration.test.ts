import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CliProvider } from '../../provider.ts';
import { type CodexUnderTest, startCodex } from '../testing/codex-under-test.ts';
import { opened, type Talk, talkTo } from '../testing/scripted-agent.ts';

let codex: CodexUnderTest;
let provider: CliProvider;
beforeAll(async () => {
  codex = await startCodex({ mode: 'read-only' });
  ({ provider } = codex);
});
afterAll(() => codex.cleanup());

const begin = (): Promise<Talk> => talkTo(provider, codex.projectDir);
const callsOf = ({ upserts }: Talk) => upserts.filter((upsert) => upsert.type === 'tool_call');

test('TC-4.1a, TC-4.1c, TC-4.2a: creates a session, sends a message, and accumulates its chunks', async () => {
  const talk = await begin();
  expect(talk.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await provider.sendMessage(talk.sessionId, '@think hm\n@text one two three', { turnId: 't' })).toEqual({
    turnId: 't',
  });
  expect(await talk.ended()).toMatchObject({ type: 'turn_complete', status: 'completed', turnId: 't' });
  expect(talk.turns[0]).toMatchObject({ type: 'turn_started', modelId: 'gpt-5.5' });
  expect(talk.upserts.findLast(({ type }) => type === 'thinking')).toMatchObject({ content: 'hm', status: 'complete' });
  expect(talk.upserts.at(-1)).toMatchObject({ content: 'one two three', status: 'complete', origin: 'agent' });
});

test('TC-4.2b, TC-4.2c, Q3: creates a call, and completes it with everything it read under the same itemId', async () => {
  writeFileSync(join(codex.projectDir, 'three.txt'), '1\n2\n3\n');
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@shell cat three.txt\n@text ok');
  await talk.ended();
  const calls = callsOf(talk);
  expect(calls[0]).toMatchObject({ status: 'create', toolKind: 'read', toolName: 'exec_command' });
  expect(calls.at(-1)).toMatchObject({
    status: 'complete',
    itemId: calls[0]?.itemId,
    toolOutput: '1\n2\n3\n',
    toolOutputIsError: false,
  });
});

test('TC-4.2c: a command that fails is a failed call', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@shell sleep 0.3; echo no >&2; exit 3\n@text ok');
  await talk.ended();
  expect(callsOf(talk).at(-1)).toMatchObject({ status: 'complete', toolOutputIsError: true });
});

describe('permissions', () => {
  const ask = async (): Promise<{ talk: Talk; requestId: string }> => {
    const talk = await begin();
    await provider.sendMessage(talk.sessionId, '@shell! touch made\n@text done');
    const request = await opened(talk.asked);
    expect(request).toMatchObject({
      kind: 'tool',
      toolArguments: { command: expect.stringContaining('touch') as string },
    });
    return { talk, requestId: request.requestId };
  };

  test('PM-1: an allowed command runs', async () => {
    const { talk, requestId } = await ask();
    await provider.resolvePermission?.(talk.sessionId, { requestId, optionId: 'allow_once' });
    expect(await talk.ended()).toMatchObject({ status: 'completed' });
    expect(existsSync(join(codex.projectDir, 'made'))).toBe(true);
  });

  test('Q1: refusing ends the turn as cancelled, and the session accepts the next message', async () => {
    const { talk, requestId } = await ask();
    await provider.resolvePermission?.(talk.sessionId, { requestId, optionId: 'cancel' });
    expect(await talk.ended()).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
    await provider.sendMessage(talk.sessionId, '@text still here', { turnId: 'next' });
    await vi.waitFor(() => expect(talk.turns.at(-1)).toMatchObject({ turnId: 'next', status: 'completed' }), 10_000);
  });

  test('Q5: cancel during a permission request ends the request and the turn', async () => {
    const { talk, requestId } = await ask();
    await provider.cancelTurn(talk.sessionId);
    expect(await talk.ended()).toMatchObject({ status: 'cancelled' });
    expect(talk.asked.at(-1)).toMatchObject({ state: 'ended', requestId });
  });
});

test('Q4: a command that was running when its turn was cancelled ends, and is never complete', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@shell sleep 20; echo late\n@text no');
  await vi.waitFor(() => expect(callsOf(talk)).toHaveLength(1), 10_000);
  await provider.cancelTurn(talk.sessionId);
  expect(await talk.ended()).toMatchObject({ status: 'cancelled' });
  expect(callsOf(talk).map(({ status }) => status)).not.toContain('complete');
  expect(provider.hasBackgroundWork?.(talk.sessionId)).toBe(false);
});

test('Q6: a background command keeps reporting after its turn', async () => {
  const talk = await begin();
  const command = 'for i in 1 2 3; do sleep 0.6; echo tick $i; done';
  const input = JSON.stringify({ cmd: command, yield_time_ms: 250 });
  await provider.sendMessage(talk.sessionId, `@tool exec_command ${input}\n@text left it running`);
  expect(await talk.ended()).toMatchObject({ status: 'completed' });
  expect(provider.hasBackgroundWork?.(talk.sessionId)).toBe(true);
  await vi.waitFor(() => expect(callsOf(talk).at(-1)).toMatchObject({ status: 'complete' }), 15_000);
  expect(callsOf(talk).at(-1)).toMatchObject({ toolOutput: expect.stringContaining('tick 3') as string });
  expect(new Set(callsOf(talk).map(({ itemId }) => itemId)).size).toBe(1);
  expect(provider.hasBackgroundWork?.(talk.sessionId)).toBe(false);
});

test('Q8: a command that the sandbox stops immediately doesn’t break the turn, with or without a call', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@shell touch forbidden\n@text went on');
  expect(await talk.ended()).toMatchObject({ status: 'completed' });
  expect(talk.upserts.at(-1)).toMatchObject({ content: 'went on' });
  expect(existsSync(join(codex.projectDir, 'forbidden'))).toBe(false);
});

test('Q2: a failing model is a turn_error, and the session continues', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@error 429 slow down');
  expect(await talk.ended()).toMatchObject({ type: 'turn_error', errorCode: 'RATE_LIMITED' });
  await provider.sendMessage(talk.sessionId, '@text better', { turnId: 'next' });
  await vi.waitFor(() => expect(talk.turns.at(-1)).toMatchObject({ turnId: 'next', status: 'completed' }), 10_000);
});

test('Q13: a steered message goes into the running turn, and a second one waits for its end', async () => {
  const talk = await begin();
  await provider.sendMessage(talk.sessionId, '@slow 60 50', { turnId: 'a' });
  await vi.waitFor(() => expect(talk.upserts.length).toBeGreaterThan(0), 10_000);
  const second = provider.sendMessage(talk.sessionId, '@text second', { turnId: 'b' });
  expect(provider.capabilities.steer).toBe(true);
  await provider.steer?.(talk.sessionId, '@text steered');
  expect(await second).toEqual({ turnId: 'b' });
  await vi.waitFor(() => expect(talk.turns).toHaveLength(4), 15_000);
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
