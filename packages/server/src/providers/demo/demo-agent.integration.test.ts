import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { demoAgent } from '../acp/catalogue/built-in-agents.ts';
import { startProviderUnderTest } from '../acp/testing/provider-under-test.ts';
import { opened, type Talk, talkTo } from '../acp/testing/scripted-agent.ts';

const dir = mkdtempSync(join(tmpdir(), 'liminal-demo-'));
afterAll(() => rmSync(dir, { recursive: true }));

let started: ReturnType<typeof startProviderUnderTest>;
let talking: Talk;
beforeEach(async () => {
  started = startProviderUnderTest(demoAgent(), { LIMINAL_DEMO_SPEED: '50' });
  talking = await talkTo(started.provider, dir);
});
afterEach(() => started.cleanup());

const send = (text: string): Promise<unknown> => started.provider.sendMessage(talking.sessionId, text);
const answer = (requestId: string, optionId: string, answers?: Record<string, string[]>): Promise<void> | undefined =>
  started.provider.resolvePermission?.(talking.sessionId, { requestId, optionId, ...(answers && { answers }) });

test('a permission is asked, allowed, and the call completes', async () => {
  await send('permission');
  const request = await opened(talking.asked);
  expect(request).toMatchObject({ kind: 'tool', title: 'rm -rf build', toolArguments: { command: 'rm -rf build' } });
  await answer(request.requestId, 'allow_once');
  expect(await talking.ended()).toMatchObject({ status: 'completed' });
  expect(talking.upserts.findLast((upsert) => upsert.type === 'tool_call')).toMatchObject({
    status: 'complete',
    awaitingPermission: false,
    toolOutput: 'removed build/ (simulated)\n',
  });
});

test('an edit shows its diff before and after the question', async () => {
  await send('edit');
  const request = await opened(talking.asked);
  expect(request.diffs).toMatchObject([{ path: join(dir, 'greeting.ts') }]);
  await answer(request.requestId, 'reject');
  await talking.ended();
  expect(talking.upserts.findLast((upsert) => upsert.type === 'tool_call')).toMatchObject({
    toolOutputIsError: true,
    diffs: request.diffs,
  });
});

test('a question is asked with its options, and the answer comes back', async () => {
  await send('question');
  const request = await opened(talking.asked);
  expect(request).toMatchObject({
    kind: 'question',
    questions: [{ id: 'answer', options: [{ label: 'Blue' }, { label: 'Green' }, { label: 'Red' }] }],
  });
  await answer(request.requestId, 'accept', { answer: ['Green'] });
  await talking.ended();
  expect(talking.upserts.at(-1)).toMatchObject({ content: '**Green** it is.' });
});

test('cancel in the middle of a question ends it and the turn at once', async () => {
  await send('question');
  await opened(talking.asked);
  await started.provider.cancelTurn(talking.sessionId);
  expect(await talking.ended()).toMatchObject({ status: 'cancelled' });
  expect(talking.asked.at(-1)).toMatchObject({ state: 'ended' });
});

test('an error is turn_error with its words', async () => {
  await send('error');
  expect(await talking.ended()).toMatchObject({
    type: 'turn_error',
    errorCode: 'MODEL_ERROR',
    errorMessage: expect.stringMatching(/^This is how a failure looks/) as string,
  });
});

test('MM-5: models, modes and commands are told and can be chosen', async () => {
  await vi.waitFor(() => expect(talking.infos.at(-1)?.commands?.length).toBeGreaterThan(5));
  expect(talking.infos.at(-1)).toMatchObject({
    modeId: 'ask',
    modelId: 'demo-natural',
    models: [{}, {}],
    modes: [{}, {}],
  });
  await started.provider.setMode?.(talking.sessionId, 'auto');
  await started.provider.setModel?.(talking.sessionId, 'demo-quick');
  expect(talking.infos.at(-1)).toMatchObject({ modeId: 'auto', modelId: 'demo-quick' });
  await expect(started.provider.setMode?.(talking.sessionId, 'yolo')).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  await expect(started.provider.setEffort?.(talking.sessionId, 'high')).rejects.toMatchObject({
    code: 'NOT_SUPPORTED',
  });
  await send('edit');
  await talking.ended();
  expect(talking.asked).toEqual([]);
  expect(talking.turns[0]).toMatchObject({ modelId: 'demo-quick' });
});

test('after a crash a session goes on, in the mode the person chose', async () => {
  const { provider } = started;
  await send('long 20000');
  for (const pid of await started.processes()) process.kill(pid, 'SIGKILL');
  expect(await talking.ended()).toMatchObject({ errorCode: 'PROCESS_CRASH' });
  await provider.loadSession(talking.sessionId, { providerOptions: { modeId: 'auto' } });
  expect(await provider.readHistory?.(talking.sessionId)).toEqual({ turns: [], entries: [] });
  expect(talking.infos.at(-1)).toMatchObject({ modeId: 'auto' });
  await send('hello');
  await vi.waitFor(() => expect(talking.turns.at(-1)).toMatchObject({ status: 'completed' }), { timeout: 10_000 });
});
