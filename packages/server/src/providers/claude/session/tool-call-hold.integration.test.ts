import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { UpcomingCall } from '../../provider.ts';
import { type ClaudeUnderTest, listenTo, patience, startClaudeUnderTest } from '../testing/claude-under-test.ts';

describe('a tool call of the real Claude Code', () => {
  let subject: ClaudeUnderTest;
  afterEach(() => subject.cleanup());

  /** A session whose calls wait until they are released. */
  const create = async () => {
    const { sessionId } = await subject.provider.createSession({
      projectDir: subject.projectDir,
      providerOptions: { modeId: 'acceptEdits' },
    });
    const calls: UpcomingCall[] = [];
    const held = Promise.withResolvers<void>();
    subject.provider.beforeToolCall?.(sessionId, (call) => {
      calls.push(call);
      return held.promise;
    });
    return { sessionId, heard: listenTo(subject.provider, sessionId), calls, letGo: held.resolve };
  };
  const file = () => join(subject.projectDir, 'notes.txt');

  test('CP-1: sends the prompt immediately, and holds the first call until it is released', async () => {
    subject = await startClaudeUnderTest();
    const { sessionId, heard, calls, letGo } = await create();
    const { turnId } = await subject.provider.sendMessage(sessionId, `@write ${file()}|one\n@shell true\n@text done`);
    await vi.waitFor(() => expect(calls).toEqual([{ turnId, edits: [file()] }]), patience);
    expect(existsSync(file())).toBe(false);
    letGo();
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect([existsSync(file()), calls.map(({ edits }) => edits.length)]).toEqual([true, [1, 0]]);
    // The hook is our own, so it is not reported.
    expect(heard.items().map(({ type }) => type)).not.toContain('error');
  });

  test('CP-1: a spare process, prepared before its session, holds its calls too', async () => {
    subject = await startClaudeUnderTest({ wasUsed: () => true, limits: { spareDelayMs: 0 } });
    await vi.waitFor(() => expect(subject.provider.spareIsReady()).toBe(true), patience);
    const { sessionId, heard, calls, letGo } = await create();
    expect(subject.starts()).toBe(1);
    const { turnId } = await subject.provider.sendMessage(sessionId, `@write ${file()}|one\n@text done`);
    await vi.waitFor(() => expect(calls).toHaveLength(1), patience);
    expect(existsSync(file())).toBe(false);
    letGo();
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(existsSync(file())).toBe(true);
  });
});
