import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ClaudeUnderTest, listenTo, startClaudeUnderTest } from '../testing/claude-under-test.ts';

describe('a conversation that was cleared', () => {
  let subject: ClaudeUnderTest;
  beforeEach(async () => {
    subject = await startClaudeUnderTest();
  });
  afterEach(() => subject.cleanup());

  /** A session with these messages, each answered before the next is sent. */
  async function converse(...messages: string[]) {
    const { provider, projectDir } = subject;
    const { sessionId } = await provider.createSession({ projectDir });
    const heard = listenTo(provider, sessionId);
    const turnIds: string[] = [];
    for (const message of messages) {
      const { turnId } = await provider.sendMessage(sessionId, message);
      await heard.ended(turnId);
      turnIds.push(turnId);
    }
    return { sessionId, turnIds, heard };
  }
  const lastRequest = () => JSON.stringify(subject.model.requests.at(-1)?.body);

  test('continues after a server restart, and the cleared part stays forgotten', async () => {
    const { sessionId } = await converse('@text apples', '/clear', '@text pears');
    await subject.restart();
    const { provider, projectDir } = subject;
    await provider.loadSession(sessionId, { projectDir });
    const heard = listenTo(provider, sessionId);
    const { turnId } = await provider.sendMessage(sessionId, '@text plums');
    expect(await heard.ended(turnId)).toMatchObject({ status: 'completed' });
    expect(lastRequest()).toContain('pears');
    expect(lastRequest()).not.toContain('apples');
    expect(await provider.wasReceived?.(sessionId, turnId)).toBe(true);
  });

  test('is one history with a note where it was cleared, live and from the records', async () => {
    const { sessionId, turnIds, heard } = await converse('@text one', '/clear', '@text two', '/clear', '@text three');
    const marks = heard.items().filter((item) => 'content' in item && item.content.includes('was cleared'));
    expect(marks.map(({ turnId }) => turnId)).toEqual([turnIds[1], turnIds[3]]);
    await subject.restart();
    const history = await subject.provider.readHistory(sessionId);
    expect(history.turns.map(({ turnId }) => turnId)).toEqual(turnIds);
    const replayed = history.entries.filter(
      ({ upsert }) => 'content' in upsert && upsert.content.includes('was cleared'),
    );
    expect(replayed.map(({ upsert }) => upsert.itemId)).toEqual(marks.map(({ itemId }) => itemId));
    const newest = await subject.provider.readHistory(sessionId, { newestTurns: 3 });
    expect(newest.turns.map(({ turnId }) => turnId)).toEqual(turnIds.slice(-3));
    expect(newest.hasMore).toBe(true);
  });

  test('searches all its records for a message, and is listed once', async () => {
    const { sessionId, turnIds } = await converse('@text one', '/clear', '@text two');
    await subject.restart();
    const { provider, projectDir } = subject;
    const received = await Promise.all(turnIds.map(async (turnId) => provider.wasReceived?.(sessionId, turnId)));
    expect(received).toEqual([true, true, true]);
    expect(await provider.wasReceived?.(sessionId, 'never-sent')).toBe(false);
    expect((await provider.listSessions?.(projectDir))?.map((session) => session.sessionId)).toEqual([sessionId]);
  });
});
