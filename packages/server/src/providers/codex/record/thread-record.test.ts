import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Loose } from '../../kit/read-json.ts';
import { listThreads, mentionsTurn, readTurns } from './thread-record.ts';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'liminal-record-'));
  writeFileSync(join(dir, 'rollout.jsonl'), '{"client_id":"in-the-file"}\n');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const turn = (id: string) => ({
  id,
  items: [{ type: 'userMessage', id: `u-${id}`, clientId: `c-${id}`, content: [] }],
});
/** Answers from a table, page by page. */
const answering =
  (pages: Readonly<Record<string, readonly object[]>>) =>
  async (method: string, params: unknown): Promise<Loose> => {
    const page = Number((params as { cursor?: string }).cursor ?? 0);
    const answer = pages[method]?.[page];
    if (!answer) throw new Error(`${method} was refused`);
    return { ...answer };
  };

describe('CX-2: turns are read page by page', () => {
  const ask = answering({
    'thread/turns/list': [
      { data: [turn('3'), turn('2')], nextCursor: '1' },
      { data: [turn('1')], nextCursor: null },
    ],
  });

  test('oldest first, or only the newest', async () => {
    const { turns, hasMore } = await readTurns(ask, 't');
    expect([turns.map(({ id }) => id), hasMore]).toEqual([['1', '2', '3'], false]);
    const newest = await readTurns(ask, 't', 2);
    expect([newest.turns.map(({ id }) => id), newest.hasMore]).toEqual([['2', '3'], true]);
  });
});

describe('CX-2: checks whether a message is in the record', () => {
  const index = { 'thread/turns/list': [{ data: [turn('1')], nextCursor: null }] };
  const read = (path: unknown) => ({ 'thread/read': [{ thread: { path } }] });

  test('by the index, otherwise by the file itself; unknown without either', async () => {
    const both = answering({ ...index, ...read(join(dir, 'rollout.jsonl')) });
    expect(await mentionsTurn(both, 't', 'c-1')).toBe(true);
    expect(await mentionsTurn(both, 't', 'in-the-file')).toBe(true);
    expect(await mentionsTurn(both, 't', 'nowhere')).toBe(false);
    expect(await mentionsTurn(answering({ ...index, ...read(null) }), 't', 'x')).toBeNull();
    expect(await mentionsTurn(answering({ ...index, ...read(join(dir, 'gone')) }), 't', 'x')).toBeNull();
    expect(await mentionsTurn(answering({}), 't', 'x')).toBeNull();
  });
});

test('CX-2: omits threads of other folders, and copies without new messages', async () => {
  const data = [
    { id: 'a', cwd: '/p', name: 'Named', preview: 'words', updatedAt: 1_800_000_000 },
    { id: 'b', cwd: '/other', preview: 'words' },
    { id: 'c', cwd: '/p', preview: '' },
    { cwd: '/p' },
    // A copy that a killed server left, and one that somebody continued.
    { id: 'd', cwd: '/p', forkedFromId: 'a', createdAt: 1_800_000_000, updatedAt: 1_800_000_001 },
    { id: 'e', cwd: '/p', forkedFromId: 'a', createdAt: 1_800_000_000, updatedAt: 1_800_000_090 },
  ];
  const listed = await listThreads(answering({ 'thread/list': [{ data, nextCursor: null }] }), 'codex', '/p');
  expect(listed).toMatchObject([
    { sessionId: 'a', cliType: 'codex', title: 'Named', updatedAt: '2027-01-15T08:00:00.000Z' },
    { sessionId: 'c', title: 'Untitled' },
    { sessionId: 'e' },
  ]);
});
