import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { growClaudeRecord } from '@liminal/stand-ins/grow-claude-record';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClaudeUnderTest, listenTo, patience, startClaudeUnderTest } from '../testing/claude-under-test.ts';

const claude = createRequire(import.meta.url).resolve(
  `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`,
);

describe('sessions that have a record', () => {
  let subject: ClaudeUnderTest;
  beforeEach(async () => {
    subject = await startClaudeUnderTest();
  });
  afterEach(() => subject.cleanup());

  /** The same home and folder after a server restart: only the record is left. */
  const forget = async (sessionId: string) => subject.provider.killSession(sessionId);

  test('TC-3.1b: a session created by the CLI in a terminal is discovered, shown and resumed', async () => {
    const { provider, projectDir, home } = subject;
    await promisify(execFile)(claude, ['-p', '@text hello from a terminal'], { cwd: projectDir, env: home.env });
    const [found] = (await provider.listSessions?.(projectDir)) ?? [];
    expect(found).toMatchObject({
      cliType: 'claude-code',
      title: expect.stringMatching(/\S/) as string,
      size: expect.any(Number) as number,
    });
    const sessionId = found?.sessionId ?? '';
    await provider.loadSession(sessionId, { projectDir });
    expect(provider.isAlive(sessionId), 'loading only reads').toBe(false);
    expect(await subject.processes()).toEqual([]);
    const history = await provider.readHistory(sessionId);
    expect(history.turns).toMatchObject([{ state: 'completed', started: { initiator: 'user' } }]);
    expect(history.entries.map(({ upsert }) => 'content' in upsert && upsert.content.trim())).toEqual([
      '@text hello from a terminal',
      'hello from a terminal',
    ]);
    const heard = listenTo(provider, sessionId);
    const { turnId } = await provider.sendMessage(sessionId, '@text and on');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(subject.model.requests.at(-1)?.body), 'it remembers').toContain('hello from a terminal');
  });

  test('decision 13: the record gives the same turns, items and ids as live', async () => {
    const { provider, projectDir } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    const heard = listenTo(provider, sessionId);
    const sources = new Map<string, string | undefined>();
    provider.onUpsert(sessionId, (upsert, how) => sources.set(upsert.itemId, how?.sourceId));
    const first = (
      await provider.sendMessage(sessionId, '@think hm\n@text one\n@shell echo a\n@+shell echo b\n@text two')
    ).turnId;
    await heard.ended(first);
    const second = (await provider.sendMessage(sessionId, '@text three')).turnId;
    await heard.ended(second);
    const history = await provider.readHistory(sessionId);
    expect(history.turns.map(({ turnId, state }) => [turnId, state])).toEqual([
      [first, 'completed'],
      [second, 'completed'],
    ]);
    const live = heard.items().filter((item) => item.type !== 'message' || item.origin === 'agent');
    const replayed = history.entries.filter(({ upsert }) => upsert.type !== 'message' || upsert.origin === 'agent');
    expect(replayed.map(({ upsert, sourceId }) => [upsert.itemId, upsert.type, upsert.status, sourceId])).toEqual(
      live.map((item) => [item.itemId, item.type, item.status, sources.get(item.itemId)]),
    );
    expect(await provider.readHistory(sessionId), 'the same at every load').toEqual(history);
  });

  test('decision 12: the record shows whether a message arrived, even for ids that aren’t UUIDs', async () => {
    const { provider, projectDir } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    expect(await provider.wasReceived?.(sessionId, 'turn-1')).toBe(false);
    const heard = listenTo(provider, sessionId);
    await provider.sendMessage(sessionId, '@text one', { turnId: 'turn-1' });
    await heard.ended('turn-1');
    expect(await provider.wasReceived?.(sessionId, 'turn-1')).toBe(true);
    expect(await provider.wasReceived?.(sessionId, 'turn-2')).toBe(false);
  });

  test('a subagent is under its call, live and in the record', async () => {
    const { provider, projectDir } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    const heard = listenTo(provider, sessionId);
    const { turnId } = await provider.sendMessage(sessionId, '@task @text from inside\n@text from outside');
    await heard.ended(turnId);
    const call = heard.items().find((item) => item.type === 'tool_call');
    const inside = heard.items().find((item) => item.type === 'message' && item.content.includes('from inside'));
    expect(inside?.parentCallId).toBe(call?.callId);
    const { entries } = await provider.readHistory(sessionId);
    const nested = entries.find(({ upsert }) => upsert.type === 'message' && upsert.content.trim() === 'from inside');
    expect(nested?.upsert).toMatchObject({ parentCallId: call?.callId, turnId });
  });

  test('a sleeping session is resumed by the next message under the same id', async () => {
    const { provider, projectDir } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    const heard = listenTo(provider, sessionId);
    await heard.ended((await provider.sendMessage(sessionId, '@text remember me')).turnId);
    await forget(sessionId);
    await provider.loadSession(sessionId, { projectDir });
    const { turnId } = await provider.sendMessage(sessionId, '@text again');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(subject.model.requests.at(-1)?.body)).toContain('remember me');
    expect((await provider.readHistory(sessionId)).turns).toHaveLength(2);
  });

  test('a session used in a terminal meanwhile is noticed, and the next message knows of it', async () => {
    const { provider, projectDir, home } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    const heard = listenTo(provider, sessionId);
    const changed = vi.fn<() => void>();
    provider.onRecordChanged(sessionId, changed);
    await heard.ended((await provider.sendMessage(sessionId, '@text here')).turnId);
    expect(provider.isAlive(sessionId)).toBe(true);
    await promisify(execFile)(claude, ['-p', '--resume', sessionId, '@text said in a terminal'], {
      cwd: projectDir,
      env: home.env,
    });
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), patience);
    expect((await provider.readHistory(sessionId)).turns).toHaveLength(2);
    const { turnId } = await provider.sendMessage(sessionId, '@text here again');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(subject.model.requests.at(-1)?.body)).toContain('said in a terminal');
    expect(heard.closed).toEqual([]);
  });

  test('a fork is its own session with the same start', async () => {
    const { provider, projectDir } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    const heard = listenTo(provider, sessionId);
    await heard.ended((await provider.sendMessage(sessionId, '@text the beginning')).turnId);
    const forked = await provider.forkSession?.(sessionId, { projectDir });
    expect(forked?.sessionId).not.toBe(sessionId);
    const copy = forked?.sessionId ?? '';
    expect((await provider.readHistory(copy)).entries).toHaveLength(2);
    const isListed = async () => (await provider.listSessions?.(projectDir))?.some((found) => found.sessionId === copy);
    // Without messages it isn't listed: a killed server may have left it.
    expect(await isListed()).toBe(false);
    await provider.loadSession(copy, { projectDir });
    const inCopy = listenTo(provider, copy);
    await inCopy.ended((await provider.sendMessage(copy, '@text goes on')).turnId);
    expect(await isListed()).toBe(true);
  });

  test('TC-3.3g: a result whose call is missing in the record is a completed call, and the session continues', async () => {
    const { provider, projectDir, home } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    const heard = listenTo(provider, sessionId);
    await heard.ended((await provider.sendMessage(sessionId, '@shell echo kept\n@text done')).turnId);
    await forget(sessionId);
    const record = await findOwn(provider, projectDir, home.env['CLAUDE_CONFIG_DIR'] ?? '', sessionId);
    const rows = await readFile(record, 'utf8');
    const broken = rows.replace(/("type":"tool_use","id":")[^"]*/, '$1toolu_of_nobody');
    expect(broken).not.toBe(rows);
    await writeFile(record, broken);
    await provider.loadSession(sessionId, { projectDir });
    const calls = (await provider.readHistory(sessionId)).entries.flatMap(({ upsert }) =>
      upsert.type === 'tool_call' ? [upsert] : [],
    );
    expect(calls.find((call) => call.callId !== 'toolu_of_nobody')).toMatchObject({
      status: 'complete',
      toolName: 'unknown',
      toolOutput: 'kept',
    });
    const { turnId } = await provider.sendMessage(sessionId, '@text and on');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
  });

  test('a 50 MB record opens with its newest page', async () => {
    const { provider, projectDir, home } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    const heard = listenTo(provider, sessionId);
    await heard.ended((await provider.sendMessage(sessionId, '@shell echo a\n@text one')).turnId);
    await forget(sessionId);
    const folder = join(home.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', 'large');
    const large = '11111111-2222-4333-8444-000000000050';
    const small = (await provider.readHistory(sessionId)).entries.length;
    await mkdir(folder);
    await growClaudeRecord(
      join(folder, `${large}.jsonl`),
      await findOwn(provider, projectDir, home.env['CLAUDE_CONFIG_DIR'] ?? '', sessionId),
      50e6,
    );
    const before = performance.now();
    const page = await provider.readHistory(large, { newestTurns: 50 });
    console.info(`the newest page of 50 MB took ${Math.round(performance.now() - before)} ms`);
    expect(page).toMatchObject({ hasMore: true });
    expect(page.turns).toHaveLength(50);
    expect(page.entries).toHaveLength(50 * small);
    await appendFile(join(folder, `${large}.jsonl`), '{"type":"user","uuid":"half a li');
    expect((await provider.readHistory(large, { newestTurns: 50 })).turns, 'skips a half-written line').toHaveLength(
      50,
    );
  });
});

async function findOwn(
  provider: ClaudeUnderTest['provider'],
  dir: string,
  config: string,
  sessionId: string,
): Promise<string> {
  expect((await provider.listSessions?.(dir))?.some((session) => session.sessionId === sessionId)).toBe(true);
  return join(config, 'projects', dir.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
}
