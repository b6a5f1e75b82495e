import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { providerContract } from '../testing/provider.contract.ts';
import { type ClaudeUnderTest, listenTo, patience, startClaudeUnderTest } from './testing/claude-under-test.ts';

// TC-2.1b: the Claude Code provider satisfies the port.
providerContract('TC-2.1b Claude Code', async () => {
  const subject = await startClaudeUnderTest();
  return {
    ...subject,
    prompts: { text: '@text Hello from the model', tool: '@shell echo hi\n@text done', slow: '@slow 400 50' },
  };
});

describe('the real Claude Code', () => {
  let subject: ClaudeUnderTest;
  beforeEach(async () => {
    subject = await startClaudeUnderTest();
  });
  afterEach(() => subject.cleanup());

  const create = async (providerOptions = {}) => {
    const { sessionId } = await subject.provider.createSession({ projectDir: subject.projectDir, providerOptions });
    return { sessionId, heard: listenTo(subject.provider, sessionId) };
  };
  const say = async (sessionId: string, text: string) => (await subject.provider.sendMessage(sessionId, text)).turnId;

  test('TC-3.1a: create starts one agent process that stays alive', async () => {
    const { sessionId, heard } = await create();
    // While starting it runs a few short commands of its own.
    await vi.waitFor(
      async () => expect(await subject.processes()).toEqual([subject.provider.pidOf(sessionId)]),
      patience,
    );
    expect(subject.provider.isAlive(sessionId)).toBe(true);
    await heard.ended(await say(sessionId, '@text one'));
    expect(subject.provider.isAlive(sessionId)).toBe(true);
  });

  test.each(['/no/such/claude', '/bin/false', '/etc/passwd'])(
    'TC-3.1c: the binary %s fails with a clear error and leaves no process',
    async (LIMINAL_CLAUDE_PATH) => {
      const other = await startClaudeUnderTest({ extraEnv: { LIMINAL_CLAUDE_PATH } });
      const attempt = other.provider.createSession({ projectDir: other.projectDir });
      await expect(attempt).rejects.toMatchObject({
        code: expect.stringMatching(/AGENT_NOT_INSTALLED|SESSION_CREATE_FAILED/) as string,
      });
      if (LIMINAL_CLAUDE_PATH !== '/bin/false') {
        expect(await other.provider.availability()).toMatchObject({
          available: false,
          reason: expect.stringContaining(LIMINAL_CLAUDE_PATH) as string,
        });
      }
      await vi.waitFor(async () => expect(await other.processes()).toEqual([]), patience);
      await other.cleanup();
    },
  );

  test('TC-3.1c: reports a folder that is gone by the next message', async () => {
    await expect(
      subject.provider.createSession({ projectDir: join(subject.projectDir, 'gone') }),
    ).rejects.toMatchObject({
      code: 'PROJECT_DIR_INVALID',
    });
    expect(await subject.processes()).toEqual([]);
  });

  test('TC-3.2a, TC-3.2b: both messages go into one long-lived input and are answered in order by the same pid', async () => {
    const { sessionId, heard } = await create();
    const pid = subject.provider.pidOf(sessionId);
    // The second doesn't wait for the first: we must keep the order, and one turn for each.
    const turns = [await say(sessionId, '@text first answer'), await say(sessionId, '@text second answer')];
    for (const turnId of turns) expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(heard.turns.map(({ turnId, type }) => `${turns.indexOf(turnId)} ${type}`)).toEqual([
      '0 turn_started',
      '0 turn_complete',
      '1 turn_started',
      '1 turn_complete',
    ]);
    const answers = heard.items().filter((item) => item.type === 'message' && item.origin === 'agent');
    expect(answers.map((item) => 'content' in item && item.content.trim())).toEqual(['first answer', 'second answer']);
    expect(subject.provider.pidOf(sessionId)).toBe(pid);
  });

  test('TC-3.3a to f: text, thinking and tools stream into distinct items; the turn has usage and model', async () => {
    const { sessionId, heard } = await create();
    const turnId = await say(sessionId, '@think a thought\n@text before\n@shell echo out\n@text after');
    expect(await heard.ended(turnId)).toMatchObject({
      status: 'completed',
      usage: { inputTokens: 200, outputTokens: 20 },
    });
    expect(heard.turns[0]).toMatchObject({
      type: 'turn_started',
      modelId: expect.stringContaining('claude') as string,
    });
    const shown = heard.items().filter((item) => item.type !== 'message' || item.origin === 'agent');
    expect(shown.map((item) => `${item.itemId.slice(turnId.length)} ${item.type} ${item.status}`)).toEqual([
      ':1:0 thinking complete',
      ':1:1 message complete',
      ':1:2 tool_call complete',
      ':2:0 message complete',
    ]);
    expect(heard.items().filter((item) => item.type === 'message' && item.origin === 'system')).toHaveLength(1);
  });

  test('TC-3.4a: cancel interrupts; the turn ends cancelled; the session accepts the next message', async () => {
    const { sessionId, heard } = await create();
    const slow = await say(sessionId, '@slow 400 50');
    await vi.waitFor(
      () => expect(heard.upserts.some((upsert) => upsert.type === 'message' && upsert.origin === 'agent')).toBe(true),
      patience,
    );
    await subject.provider.cancelTurn(sessionId);
    expect(await heard.ended(slow)).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
    expect(heard.items().find((item) => item.type === 'message' && item.origin === 'agent')?.status).toMatch(
      /create|update/,
    );
    const next = await say(sessionId, '@text next');
    expect(await heard.ended(next)).toMatchObject({ status: 'completed' });
  });

  test('TC-3.4a: cancel right after the first message to a cold process works too', async () => {
    const { sessionId, heard } = await create();
    const turnId = await say(sessionId, '@slow 400 50');
    await subject.provider.cancelTurn(sessionId);
    expect(await heard.ended(turnId)).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
    expect(await heard.ended(await say(sessionId, '@text next'))).toMatchObject({ status: 'completed' });
  });

  test('TC-3.4b, TC-3.4c: kill ends the process and its children; isAlive is true before, false after', async () => {
    const { sessionId, heard } = await create({ modeId: 'bypassPermissions' });
    const turnId = await say(sessionId, '@shell tail -f /dev/null\n@text never');
    await vi.waitFor(async () => expect((await subject.processes()).length).toBeGreaterThan(1), patience);
    expect(subject.provider.isAlive(sessionId)).toBe(true);
    await subject.provider.killSession(sessionId);
    expect(subject.provider.isAlive(sessionId)).toBe(false);
    expect(await heard.ended(turnId)).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
    await vi.waitFor(async () => expect(await subject.processes()).toEqual([]), patience);
    expect(heard.closed).toEqual([]);
  });

  test('a steered message joins the running turn', async () => {
    const { sessionId, heard } = await create();
    const turnId = await say(sessionId, '@shell sleep 1\n@text end');
    await vi.waitFor(() => expect(heard.upserts.some((upsert) => upsert.type === 'tool_call')).toBe(true), patience);
    await subject.provider.steer?.(sessionId, 'and mind this');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(heard.turns).toHaveLength(2);
    expect(JSON.stringify(subject.model.requests.at(-1)?.body)).toContain('and mind this');
    await expect(subject.provider.steer?.(sessionId, 'too late')).rejects.toMatchObject({ code: 'TURN_NOT_FOUND' });
  });

  test('a background task is visible, keeps the session awake, and wakes the agent for a turn of its own', async () => {
    const { sessionId, heard } = await create();
    const turnId = await say(sessionId, '@background sleep 1; echo done\n@text started');
    await heard.ended(turnId);
    expect(subject.provider.hasBackgroundWork?.(sessionId)).toBe(true);
    expect(heard.infos.at(-1)?.backgroundTasks).toMatchObject([{ state: 'running' }]);
    await vi.waitFor(() => expect(heard.turns).toHaveLength(4), patience);
    expect(heard.turns[2]).toMatchObject({ type: 'turn_started', initiator: 'agent' });
    expect(subject.provider.hasBackgroundWork?.(sessionId)).toBe(false);
    expect(heard.infos.at(-1)?.backgroundTasks).toMatchObject([{ state: 'completed' }]);
    expect(heard.items().every((item) => item.type !== 'message' || item.origin !== 'user')).toBe(true);
  });

  test('MM-5: reports models, modes, efforts and commands; model and mode can be switched', async () => {
    const { sessionId, heard } = await create();
    await vi.waitFor(() => expect(heard.infos.at(-1)?.models?.length).toBeGreaterThan(1), patience);
    const info = heard.infos.at(-1);
    expect(info?.modes?.map(({ id }) => id)).toContain('plan');
    expect(info?.commands?.length).toBeGreaterThan(0);
    const other = info?.models?.at(-1)?.id ?? '';
    await subject.provider.setModel?.(sessionId, other);
    await subject.provider.setMode?.(sessionId, 'acceptEdits');
    const turnId = await say(sessionId, '@write made.txt|hello\n@text done');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(heard.permissions).toEqual([]);
    await expect(subject.provider.setMode?.(sessionId, 'no-such-mode')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await subject.provider.setMode?.(sessionId, 'bypassPermissions');
    expect(await heard.ended(await say(sessionId, '@shell touch a && rm a\n@text done'))).toMatchObject({
      status: 'completed',
    });
    expect(heard.permissions).toEqual([]);
  });

  test("decision 17: runs a folder's hook only once the folder is trusted", async () => {
    mkdirSync(join(subject.projectDir, '.claude'));
    const hook = { hooks: [{ type: 'command', command: 'touch hook-ran' }] };
    writeFileSync(
      join(subject.projectDir, '.claude/settings.json'),
      JSON.stringify({ hooks: { UserPromptSubmit: [hook] } }),
    );
    const { sessionId, heard } = await create({ trusted: false });
    await heard.ended(await say(sessionId, '@shell ls\n@text done'));
    const listing = () => heard.items().findLast((item) => item.type === 'tool_call')?.toolOutput ?? '';
    expect(listing()).not.toContain('hook-ran');
    await subject.provider.loadSession(sessionId, { providerOptions: { trusted: true } });
    expect(subject.provider.isAlive(sessionId)).toBe(false);
    expect(await heard.ended(await say(sessionId, '@shell ls\n@text done'))).toMatchObject({ status: 'completed' });
    expect(listing()).toContain('hook-ran');
  });
});
