import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClaudeUnderTest, listenTo, patience, startClaudeUnderTest } from '../testing/claude-under-test.ts';

describe('the spare process', () => {
  let subject: ClaudeUnderTest;
  afterEach(() => subject.cleanup());

  const start = async (limits = {}, wasUsed = true) => {
    subject = await startClaudeUnderTest({ wasUsed: () => wasUsed, limits: { spareDelayMs: 0, ...limits } });
  };
  /** A spare counts as ready once it waits; taken earlier it isn't a spare yet. */
  const spareIsReady = () => vi.waitFor(() => expect(subject.provider.spareIsReady()).toBe(true), patience);
  const create = (providerOptions = {}) =>
    subject.provider.createSession({ projectDir: subject.projectDir, providerOptions });

  test('serves the next session, which starts no process of its own, and is replaced after use', async () => {
    await start();
    await spareIsReady();
    expect(subject.starts()).toBe(1);
    const { sessionId } = await create();
    expect(subject.starts()).toBe(1);
    const heard = listenTo(subject.provider, sessionId);
    const { turnId } = await subject.provider.sendMessage(sessionId, '@shell pwd\n@text done');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(heard.items().find((item) => item.type === 'tool_call')).toMatchObject({ toolOutput: subject.projectDir });
    await spareIsReady();
    expect(subject.starts()).toBe(2);
    await subject.provider.killSession(sessionId);
    await subject.provider.loadSession(sessionId, { projectDir: subject.projectDir });
    const again = await subject.provider.sendMessage(sessionId, '@text resumed');
    expect(await heard.ended(again.turnId)).toMatchObject({ status: 'completed' });
  });

  test('a session on a spare asks its user, in the mode and with the model it was created with', async () => {
    await start();
    await spareIsReady();
    const { sessionId } = await create({ modeId: 'plan', modelId: 'haiku', effort: 'low' });
    expect(subject.starts()).toBe(1);
    const heard = listenTo(subject.provider, sessionId);
    const { turnId } = await subject.provider.sendMessage(sessionId, '@exitplan 1. do\n@text done');
    const { requestId } = await heard.asked();
    await subject.provider.resolvePermission?.(sessionId, { requestId, optionId: 'allow' });
    await heard.ended(turnId);
    expect(heard.turns[0]).toMatchObject({ modelId: expect.stringContaining('haiku') as string });
  });

  test('none is kept before Claude Code has been used here', async () => {
    await start({}, false);
    expect(subject.starts()).toBe(0);
    const { sessionId } = await create();
    await subject.provider.killSession(sessionId);
    await spareIsReady();
  });

  test('a spare for an untrusted folder never serves a trusted one', async () => {
    await start();
    await spareIsReady();
    const { sessionId } = await create({ trusted: true });
    expect(subject.starts()).toBe(2);
    const heard = listenTo(subject.provider, sessionId);
    const { turnId } = await subject.provider.sendMessage(sessionId, '@text hello');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
  });

  test('gives a folder it cannot serve its own process, and the message is answered once', async () => {
    await start();
    await spareIsReady();
    await subject.provider.killSession((await create({ trusted: true })).sessionId);
    await spareIsReady();
    // Folder settings that a waiting process can no longer apply.
    mkdirSync(join(subject.projectDir, '.claude'));
    writeFileSync(join(subject.projectDir, '.claude/settings.json'), JSON.stringify({ env: { FROM_FOLDER: 'yes' } }));
    const before = subject.starts();
    const { sessionId } = await create({ trusted: true });
    const heard = listenTo(subject.provider, sessionId);
    const { turnId } = await subject.provider.sendMessage(sessionId, '@shell printenv FROM_FOLDER\n@text done');
    const { requestId } = await heard.asked();
    await subject.provider.resolvePermission?.(sessionId, { requestId, optionId: 'allow' });
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(heard.turns).toHaveLength(2);
    expect(heard.items().find((item) => item.type === 'tool_call')).toMatchObject({ toolOutput: 'yes' });
    expect(subject.starts()).toBeGreaterThan(before);
  });

  test('is dropped when it waits too long, and never left behind', async () => {
    await start({ spareIdleMs: 200 });
    await spareIsReady();
    await vi.waitFor(async () => expect(await subject.processes()).toEqual([]), patience);
    expect(subject.provider.spareIsReady()).toBe(false);
  });

  test('its death is noticed, and the next session starts its own', async () => {
    await start();
    await spareIsReady();
    for (const pid of await subject.processes()) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(subject.provider.spareIsReady()).toBe(false), patience);
    const { sessionId } = await create();
    expect(subject.provider.isAlive(sessionId)).toBe(true);
    expect(subject.starts()).toBe(2);
  });

  test('closing while one is being started leaves nothing', async () => {
    await start();
    await vi.waitFor(() => expect(subject.starts()).toBe(1), patience);
    await subject.provider.close();
    await vi.waitFor(async () => expect(await subject.processes()).toEqual([]), patience);
  });

  test('the server stops although one that is being started never becomes ready', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'liminal-claude-'));
    const file = join(folder, 'claude');
    writeFileSync(file, '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 });
    try {
      subject = await startClaudeUnderTest({
        wasUsed: () => true,
        limits: { spareDelayMs: 0, initializeMs: 2 ** 31 - 1 },
        extraEnv: { LIMINAL_CLAUDE_PATH: file },
      });
      await vi.waitFor(() => expect(subject.starts()).toBe(1), patience);
      await subject.provider.close();
      expect(await subject.processes()).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
