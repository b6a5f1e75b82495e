import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClaudeUnderTest, listenTo, patience, startClaudeUnderTest } from '../testing/claude-under-test.ts';

describe('bad input is a clear state in the session, and nothing else is affected', () => {
  let subject: ClaudeUnderTest;
  let sessionId: string;
  let heard: ReturnType<typeof listenTo>;
  const open = async (providerOptions = {}, extraEnv = {}) => {
    subject = await startClaudeUnderTest({ extraEnv });
    ({ sessionId } = await subject.provider.createSession({ projectDir: subject.projectDir, providerOptions }));
    heard = listenTo(subject.provider, sessionId);
  };
  afterEach(() => subject.cleanup());
  const say = async (text: string) => heard.ended((await subject.provider.sendMessage(sessionId, text)).turnId);

  test('without credentials the session says how to log in', async () => {
    await open({}, { ANTHROPIC_API_KEY: '' });
    expect(await say('@text hello')).toMatchObject({
      type: 'turn_error',
      errorCode: 'AGENT_AUTH_REQUIRED',
      errorMessage: expect.stringMatching(/Choose Sign in on the page/) as string,
    });
  });

  test('a turn beyond its limit ends with the reason, keeps its output so far, and the next message is answered', async () => {
    subject = await startClaudeUnderTest({ limits: { spareDelayMs: 2 ** 31 - 1, openBytes: 3_000 } });
    ({ sessionId } = await subject.provider.createSession({ projectDir: subject.projectDir }));
    heard = listenTo(subject.provider, sessionId);
    expect(await say(`@text ${'more and more '.repeat(1_000)}`)).toMatchObject({
      type: 'turn_error',
      errorCode: 'PROCESS_CRASH',
      errorMessage: expect.stringMatching(/of unfinished output, so it was stopped/) as string,
    });
    expect(heard.items().some((item) => item.type === 'message' && item.content.includes('more and more'))).toBe(true);
    await subject.provider.loadSession(sessionId, { projectDir: subject.projectDir });
    expect(await say('@text hello')).toMatchObject({ status: 'completed' });
  });

  describe('with an ordinary session', () => {
    beforeEach(() => open());

    test.each([
      ['a wrong key', '@error 401 invalid x-api-key', 'AGENT_AUTH_REQUIRED'],
      ['overload', '@error 529 Overloaded', 'MODEL_ERROR'],
      ['a rate limit', '@error 429 slow down', 'RATE_LIMITED'],
      ['a refused request', '@error 400 bad request', 'MODEL_ERROR'],
    ])('%s fails the turn with its code', async (_, prompt, errorCode) => {
      expect(await say(prompt)).toMatchObject({
        type: 'turn_error',
        errorCode,
        errorMessage: expect.stringMatching(/\S/) as string,
      });
      expect(subject.provider.isAlive(sessionId)).toBe(true);
    });

    test('a stream cut mid-word is requested again, and the cut text is marked as replaced', async () => {
      expect(await say('@text first words\n@drop 1\n@text the answer')).toMatchObject({ status: 'completed' });
      expect(heard.items().some((item) => item.errorCode === 'SUPERSEDED')).toBe(true);
      const answers = heard
        .items()
        .filter((item) => item.type === 'message' && item.origin === 'agent' && item.status === 'complete');
      expect(answers.map((item) => 'content' in item && item.content.trim())).toEqual(['first words', 'the answer']);
    });

    test('a 1 MB prompt and lone surrogates arrive', async () => {
      expect(await say(`@text ok\n${'x'.repeat(1024 * 1024)}`)).toMatchObject({ status: 'completed' });
      expect(await say('@text a\uD800b')).toMatchObject({ status: 'completed' });
      expect(heard.items().findLast((item) => item.type === 'message' && item.origin === 'agent')).toMatchObject({
        content: expect.stringContaining('a\uFFFDb') as string,
      });
    });

    test('arguments that are not JSON become {} and the call continues', async () => {
      expect(await say('@tool Bash {"command": "echo\n@text done')).toMatchObject({ status: 'completed' });
      expect(heard.items().find((item) => item.type === 'tool_call')).toMatchObject({
        status: 'complete',
        toolOutputIsError: true,
      });
    });

    test('shows a large tool output as far as Claude Code sends it', async () => {
      writeFileSync(join(subject.projectDir, 'large.txt'), `${'0123456789'.repeat(100)}\n`.repeat(1_000));
      expect(await say('@shell cat large.txt\n@text done')).toMatchObject({ status: 'completed' });
      const call = heard.items().find((item) => item.type === 'tool_call');
      expect(call?.toolOutput?.length).toBeGreaterThan(1_000);
    });

    test.each(['@text seen', ''])('MM-5: an image in a message reaches the model (text: "%s")', async (words) => {
      const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const { turnId } = await subject.provider.sendMessage(sessionId, words, {
        images: [{ mimeType: 'image/png', data }],
      });
      expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
      expect(JSON.stringify(subject.model.requests.at(-1)?.body)).toContain('image/png');
    });
  });

  test('a model that does not exist fails the turn', async () => {
    await open({ modelId: 'claude-none-1' });
    expect(await say('@error 404*9 model: claude-none-1')).toMatchObject({
      type: 'turn_error',
      errorCode: 'MODEL_ERROR',
    });
  });

  test('a missing folder fails the next message with the reason, and leaves no process', async () => {
    await open();
    await say('@text hello');
    await subject.provider.killSession(sessionId);
    await subject.provider.loadSession(sessionId, { projectDir: subject.projectDir });
    rmSync(subject.projectDir, { recursive: true });
    await expect(subject.provider.sendMessage(sessionId, '@text again')).rejects.toMatchObject({
      code: 'PROJECT_DIR_INVALID',
    });
    await vi.waitFor(async () => expect(await subject.processes()).toEqual([]), patience);
  });

  test('a missing record fails the turn with the reason', async () => {
    await open();
    await say('@text hello');
    await subject.provider.killSession(sessionId);
    rmSync(join(subject.home.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects'), { recursive: true });
    await subject.provider.loadSession(sessionId, { projectDir: subject.projectDir });
    expect(await say('@text again')).toMatchObject({ type: 'turn_error', errorCode: 'SESSION_CREATE_FAILED' });
  });
});
