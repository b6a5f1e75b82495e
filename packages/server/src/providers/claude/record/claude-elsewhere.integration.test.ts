import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClaudeUnderTest, listenTo, patience, startClaudeUnderTest } from '../testing/claude-under-test.ts';

const claude = createRequire(import.meta.url).resolve(
  `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`,
);

describe('a session outside its turns', () => {
  let subject: ClaudeUnderTest;
  beforeEach(async () => {
    subject = await startClaudeUnderTest();
  });
  afterEach(() => subject.cleanup());

  const create = async () => {
    const { sessionId } = await subject.provider.createSession({ projectDir: subject.projectDir });
    return { sessionId, heard: listenTo(subject.provider, sessionId) };
  };
  const inTerminal = (sessionId: string, prompt: string) =>
    promisify(execFile)(claude, ['-p', '--resume', sessionId, prompt], {
      cwd: subject.projectDir,
      env: subject.home.env,
    });
  const isAsked = (words: string) =>
    vi.waitFor(() => expect(JSON.stringify(subject.model.requests.at(-1)?.body)).toContain(words), patience);

  test.each([
    ['the first turn', []],
    ['a later turn', ['@text before']],
  ])('picks up a prompt typed in a terminal during %s when that turn has ended', async (_, before) => {
    const { provider } = subject;
    const { sessionId, heard } = await create();
    for (const text of before) await heard.ended((await provider.sendMessage(sessionId, text)).turnId);
    const changed = vi.fn<() => void>();
    provider.onRecordChanged(sessionId, changed);
    const { turnId } = await provider.sendMessage(sessionId, '@slow 2000 50');
    await isAsked('@slow 2000 50');
    const typed = inTerminal(sessionId, 'said in a terminal\n@slow 80 50');
    await isAsked('said in a terminal');
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), patience);
    await provider.cancelTurn(sessionId);
    expect(await heard.ended(turnId)).toMatchObject({ status: 'cancelled' });
    await typed;
    await vi.waitFor(() => expect(provider.isAlive(sessionId)).toBe(false), patience);
    const next = await provider.sendMessage(sessionId, '@text here again');
    expect(await heard.ended(next.turnId)).toMatchObject({ status: 'completed' });
    await isAsked('said in a terminal');
    expect(heard.closed).toEqual([]);
  });

  test('is no longer watched after it was deleted', async () => {
    const { provider, projectDir } = subject;
    const { sessionId, heard } = await create();
    await heard.ended((await provider.sendMessage(sessionId, '@text here')).turnId);
    const ofDeleted = vi.fn<() => void>();
    provider.onRecordChanged(sessionId, ofDeleted);
    await provider.killSession(sessionId);
    await provider.forgetSession?.(sessionId);
    expect(provider.isAlive(sessionId)).toBe(false);
    // Once the reopened session has reported it, the deleted one would have too.
    await provider.loadSession(sessionId, { projectDir });
    const ofNew = vi.fn<() => void>();
    provider.onRecordChanged(sessionId, ofNew);
    await inTerminal(sessionId, '@text said in a terminal');
    await vi.waitFor(() => expect(ofNew).toHaveBeenCalled(), patience);
    expect(ofDeleted).not.toHaveBeenCalled();
  });

  test('a note outside any turn does not replace one from before a restart', async () => {
    const settings = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }] } };
    writeFileSync(join(subject.home.env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json'), JSON.stringify(settings));
    const { sessionId, heard } = await create();
    await heard.ended((await subject.provider.sendMessage(sessionId, '@text one')).turnId);
    await subject.restart();
    await subject.provider.loadSession(sessionId, { projectDir: subject.projectDir });
    const after = listenTo(subject.provider, sessionId);
    await after.ended((await subject.provider.sendMessage(sessionId, '@text two')).turnId);
    const notes = [heard, after].map(({ upserts }) =>
      upserts.filter(({ turnId }) => turnId === 'session').map(({ itemId }) => itemId),
    );
    expect(notes.map(({ length }) => length)).toEqual([1, 1]);
    expect(new Set(notes.flat()).size).toBe(2);
  });
});
