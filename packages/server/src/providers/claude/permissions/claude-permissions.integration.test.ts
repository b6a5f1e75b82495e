import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PermissionRequest } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClaudeUnderTest, listenTo, patience, startClaudeUnderTest } from '../testing/claude-under-test.ts';

describe('permission requests of the real Claude Code', () => {
  let subject: ClaudeUnderTest;
  beforeEach(async () => {
    subject = await startClaudeUnderTest();
  });
  afterEach(() => subject.cleanup());

  const begin = async (options: { trusted?: boolean; modeId?: string } = {}) => {
    const { provider, projectDir } = subject;
    const { sessionId } = await provider.createSession({ projectDir, providerOptions: options });
    const heard = listenTo(provider, sessionId);
    return {
      sessionId,
      heard,
      send: async (text: string) => (await provider.sendMessage(sessionId, text)).turnId,
      answer: (requestId: string, optionId: string, more: object = {}) =>
        provider.resolvePermission?.(sessionId, { requestId, optionId, ...more }),
    };
  };

  test('PM-1: a tool use is requested with its diff, and runs once allowed', async () => {
    const { heard, send, answer } = await begin();
    const turnId = await send('@write new.txt|hello\n@text done');
    const request = await heard.asked();
    expect(PermissionRequest.parse(request)).toMatchObject({
      turnId,
      kind: 'tool',
      toolName: 'Write',
      diffs: [{ oldText: null, newText: expect.stringContaining('hello') as string }],
    });
    expect(request.options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once']);
    expect(heard.items().find((item) => item.type === 'tool_call')).toMatchObject({
      awaitingPermission: true,
      callId: request.callId,
    });
    await answer(request.requestId, 'allow');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(heard.items().find((item) => item.type === 'tool_call')).toMatchObject({
      status: 'complete',
      awaitingPermission: false,
      toolOutputIsError: false,
      diffs: [{ oldText: null, newText: expect.stringContaining('hello') as string }],
    });
    expect(readFileSync(join(subject.projectDir, 'new.txt'), 'utf8')).toContain('hello');
  });

  test('a reason for refusing reaches the agent as the result of its call', async () => {
    const { heard, send, answer } = await begin();
    const turnId = await send('@write no.txt|hello\n@text done');
    const { requestId } = await heard.asked();
    await answer(requestId, 'reject', { feedback: 'Use another name.' });
    await heard.ended(turnId);
    expect(heard.items().find((item) => item.type === 'tool_call')).toMatchObject({
      status: 'complete',
      toolOutputIsError: true,
      toolOutput: expect.stringContaining('Use another name.') as string,
    });
    expect(existsSync(join(subject.projectDir, 'no.txt'))).toBe(false);
  });

  test('PM-3: refuses an option that was not offered, a second answer and an unknown request', async () => {
    const { heard, send, answer } = await begin();
    const turnId = await send('@write a.txt|hello\n@text done');
    const { requestId } = await heard.asked();
    await expect(answer(requestId, 'always-99')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await answer(requestId, 'allow');
    await expect(answer(requestId, 'allow')).rejects.toMatchObject({ code: 'PERMISSION_NOT_FOUND' });
    await heard.ended(turnId);
  });

  test.each([
    { trusted: false, command: 'touch made.txt && rm made.txt' },
    { trusted: true, command: 'touch made.txt && rm made.txt' },
    { trusted: false, command: 'cat /etc/shadow' },
    { trusted: false, command: 'cp /etc/hostname copied.txt' },
  ])('PM-3: "always" prevents the same question (%o)', async ({ trusted, command }) => {
    const { heard, send, answer } = await begin({ trusted });
    const script = `@shell ${command}\n@text done`;
    const first = await send(script);
    const request = await heard.asked();
    const always = request.options.filter(({ kind }) => kind === 'allow_always');
    const words = always[0]?.description ?? '';
    expect(words).toMatch(trusted ? /settings\.local\.json/ : /session only/);
    await answer(request.requestId, always[0]?.optionId ?? '');
    expect(await heard.ended(first)).toMatchObject({ status: 'completed' });
    const second = await send(script);
    expect(await heard.ended(second)).toMatchObject({ status: 'completed' });
    expect(heard.permissions.filter(({ state }) => state === 'open')).toHaveLength(1);
    expect(existsSync(join(subject.projectDir, '.claude/settings.local.json'))).toBe(trusted);
  });

  test('PM-3: offers nothing permanent if no suggestion of Claude Code would prevent the question', async () => {
    const { heard, send, answer } = await begin();
    const turnId = await send('@shell echo hi-$((40+2)) > out.txt; cat out.txt\n@text done');
    const request = await heard.asked();
    expect(request.options.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
    await answer(request.requestId, 'allow');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
  });

  test('PM-1: a question with options is answered by its labels', async () => {
    const { heard, send, answer } = await begin();
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'r' },
          { label: 'Blue', description: 'b' },
        ],
      },
    ];
    const turnId = await send(`@tool AskUserQuestion ${JSON.stringify({ questions })}\n@text done`);
    const request = await heard.asked();
    expect(PermissionRequest.parse(request)).toMatchObject({
      kind: 'question',
      questions: [
        { id: 'q0', header: 'Colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] },
      ],
    });
    await answer(request.requestId, 'answer', { answers: { q0: ['Blue'] } });
    await heard.ended(turnId);
    const call = heard.items().find((item) => item.type === 'tool_call');
    expect(call).toMatchObject({
      toolOutput: 'Which colour?\nBlue',
      questions: [{ question: 'Which colour?', answer: 'Blue' }],
    });
  });

  test('PM-1: a plan is shown with its text; approving it changes the mode', async () => {
    const { heard, send, answer } = await begin({ modeId: 'plan' });
    const turnId = await send('@exitplan # Plan\\n1. do it\n@text done');
    const request = await heard.asked();
    expect(request).toMatchObject({ kind: 'plan', description: expect.stringContaining('1. do it') as string });
    await answer(request.requestId, 'always-edits');
    await heard.ended(turnId);
    expect(heard.infos.at(-1)?.modeId).toBe('acceptEdits');
  });

  test('PM-1: a plan approved with questions asks before each edit, whatever the mode before the plan', async () => {
    const { sessionId, heard, send, answer } = await begin({ modeId: 'acceptEdits' });
    await heard.ended(await send('@text ready'));
    await subject.provider.setMode?.(sessionId, 'plan');
    await send('@exitplan # Plan\\n1. do it\n@write planned.txt|hello\n@text done');
    const plan = await heard.asked();
    await answer(plan.requestId, 'allow');
    await vi.waitFor(() => expect(heard.permissions.filter(({ state }) => state === 'open')).toHaveLength(2), patience);
    expect(existsSync(join(subject.projectDir, 'planned.txt'))).toBe(false);
    expect(heard.infos.at(-1)?.modeId).toBe('default');
  });

  test("PM-2: a background subagent's request outlives its turn and the next, and is answered then", async () => {
    const { sessionId, heard, send, answer } = await begin();
    const first = await send('@background-task @write late.txt|hello\\n@text written\n@text left it');
    const request = await heard.asked();
    expect(request).toMatchObject({ outlivesTurn: true, toolName: 'Write' });
    await heard.ended(first);
    await heard.ended(await send('@text meanwhile'));
    expect(heard.permissions.filter(({ state }) => state === 'ended')).toEqual([]);
    expect(existsSync(join(subject.projectDir, 'late.txt'))).toBe(false);
    await answer(request.requestId, 'allow');
    await vi.waitFor(() => expect(existsSync(join(subject.projectDir, 'late.txt'))).toBe(true), patience);
    await vi.waitFor(() => expect(subject.provider.hasBackgroundWork?.(sessionId)).toBe(false), patience);
    expect(heard.infos.findLast(({ backgroundTasks }) => backgroundTasks)?.backgroundTasks).toMatchObject([
      { state: 'completed' },
    ]);
  });

  test("PM-2: a foreground subagent's request ends with the cancelled turn", async () => {
    const { sessionId, heard, send } = await begin();
    const turnId = await send('@task @write never.txt|hello\\n@text written\n@text done');
    const { requestId } = await heard.asked();
    await subject.provider.cancelTurn(sessionId);
    expect(await heard.ended(turnId)).toMatchObject({ status: 'cancelled' });
    expect(heard.permissions).toContainEqual(expect.objectContaining({ state: 'ended', requestId }));
  });

  test('PM-2: a request ends with the cancelled turn, and with the death of the process', async () => {
    const { sessionId, heard, send } = await begin();
    const cancelled = await send('@write x.txt|hello\n@text done');
    const first = await heard.asked();
    await subject.provider.cancelTurn(sessionId);
    expect(await heard.ended(cancelled)).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
    expect(heard.permissions).toContainEqual(expect.objectContaining({ state: 'ended', requestId: first.requestId }));
    expect(heard.upserts.some(({ status }) => status === 'error')).toBe(false);

    const crashed = await send('@write y.txt|hello\n@text done');
    const second = await heard.asked(2);
    process.kill(subject.provider.pidOf(sessionId) ?? 0, 'SIGKILL');
    expect(await heard.ended(crashed)).toMatchObject({ errorCode: 'PROCESS_CRASH' });
    await vi.waitFor(
      () =>
        expect(heard.permissions).toContainEqual(
          expect.objectContaining({ state: 'ended', requestId: second.requestId }),
        ),
      patience,
    );
  });
});
