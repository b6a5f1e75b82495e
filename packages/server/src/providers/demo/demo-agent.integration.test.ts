import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reviewMessage } from '@liminal/domain/review/review-message';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { demoAgent } from '../acp/catalogue/built-in-agents.ts';
import { startProviderUnderTest } from '../acp/testing/provider-under-test.ts';
import { createDemoProject, demoFolderOf } from '../../compose/demo-project.ts';
import { createGitRunner } from '../../git/run-git.ts';
import { opened, type Talk, talkTo } from '../acp/testing/scripted-agent.ts';

const dir = mkdtempSync(join(tmpdir(), 'liminal-demo-'));
afterAll(() => rmSync(dir, { recursive: true }));

const own = join(dir, 'own');

let started: ReturnType<typeof startProviderUnderTest>;
let talking: Talk;
beforeEach(async () => {
  started = startProviderUnderTest(demoAgent(demoFolderOf(dir)), { LIMINAL_DEMO_SPEED: '50' });
  mkdirSync(own, { recursive: true });
  talking = await talkTo(started.provider, own);
});
afterEach(() => started.cleanup());

const send = (text: string): Promise<unknown> => started.provider.sendMessage(talking.sessionId, text);
const answer = (requestId: string, optionId: string, answers?: Record<string, string[]>): Promise<void> | undefined =>
  started.provider.resolvePermission?.(talking.sessionId, { requestId, optionId, ...(answers && { answers }) });

test('asks for permission, and completes the call once allowed', async () => {
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
  expect(request.diffs).toMatchObject([{ path: join(own, 'greeting.ts') }]);
  await answer(request.requestId, 'reject');
  await talking.ended();
  expect(talking.upserts.findLast((upsert) => upsert.type === 'tool_call')).toMatchObject({
    toolOutputIsError: true,
    diffs: request.diffs,
  });
});

test('asks a question with its options, and receives the answer', async () => {
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

test('cancel during a question ends it and the turn immediately', async () => {
  await send('question');
  await opened(talking.asked);
  await started.provider.cancelTurn(talking.sessionId);
  expect(await talking.ended()).toMatchObject({ status: 'cancelled' });
  expect(talking.asked.at(-1)).toMatchObject({ state: 'ended' });
});

test('an error is a turn_error with its text', async () => {
  await send('error');
  expect(await talking.ended()).toMatchObject({
    type: 'turn_error',
    errorCode: 'MODEL_ERROR',
    errorMessage: expect.stringMatching(/^This is how a failure looks/) as string,
  });
});

test('MM-5: reports models, modes and commands, which can be chosen', async () => {
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

test('continues a session after a crash, in the mode the user chose', async () => {
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

test('in the scratch project really edits, runs the tests and answers a review', async () => {
  const scratch = await createDemoProject(dir, createGitRunner())();
  const read = () => readFileSync(join(scratch, 'src/greeting.js'), 'utf8');
  const before = read();
  const there = await talkTo(started.provider, scratch);
  const ended = (count: number) =>
    vi.waitFor(() => expect(there.turns.filter((event) => event.type === 'turn_complete')).toHaveLength(count), {
      timeout: 20_000,
    });
  await started.provider.sendMessage(there.sessionId, 'edit');
  const request = await opened(there.asked);
  expect(read()).toBe(before);
  await started.provider.resolvePermission?.(there.sessionId, {
    requestId: request.requestId,
    optionId: 'allow_always',
  });
  await ended(1);
  expect(read()).toContain('`Hello, ${name}!`');

  await started.provider.sendMessage(there.sessionId, 'run a tool');
  await ended(2);
  const run = there.upserts.findLast((upsert) => upsert.type === 'tool_call');
  expect(run).toMatchObject({ toolOutput: expect.stringContaining('3 passed') as string, toolOutputIsError: false });

  const place = { path: 'src/greeting.js', side: 'new', startLine: 1, endLine: 1, outdated: false } as const;
  const quote = `${read().split('\n')[0]}\n`;
  const message = reviewMessage([{ ...place, quote, text: 'Please remove this line.' }]);
  await started.provider.sendMessage(there.sessionId, message);
  await ended(3);
  expect(read()).not.toContain(quote);
});

test("in a user's own folder touches nothing, whatever the prompt", async () => {
  await createDemoProject(dir, createGitRunner())();
  await started.provider.setMode?.(talking.sessionId, 'auto');
  const place = { path: 'src/greeting.js', side: 'new', startLine: 1, endLine: 1, outdated: false } as const;
  const review = reviewMessage([{ ...place, quote: 'x\n', text: 'Remove it.' }]);
  for (const [index, message] of ['edit', 'run a tool', review].entries()) {
    await send(message);
    await vi.waitFor(
      () => expect(talking.turns.filter((event) => event.type === 'turn_complete')).toHaveLength(index + 1),
      {
        timeout: 20_000,
      },
    );
  }
  expect(readdirSync(own)).toEqual([]);
});
