import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findRecord, readNewestRows, recordMentions } from './record-file.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';

describe('reading a record from its end', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'liminal-record-'));
    mkdirSync(join(folder, 'project'));
    path = join(folder, 'project', `${sessionId}.jsonl`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (...rows: readonly object[]) =>
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const person = (uuid: string, parentUuid: string | null, content: unknown = uuid) => ({
    parentUuid,
    type: 'user',
    uuid,
    message: { role: 'user', content },
  });
  const answer = (uuid: string, parentUuid: string, id = uuid, content: unknown = []) => ({
    parentUuid,
    type: 'assistant',
    uuid,
    message: { id, content },
  });
  const result = (uuid: string, parentUuid: string) =>
    person(uuid, parentUuid, [{ type: 'tool_result', tool_use_id: uuid }]);
  const read = async (turns = Number.POSITIVE_INFINITY) => {
    const page = await readNewestRows(path, turns);
    return { uuids: page.rows.map((row) => row['uuid']), hasMore: page.hasMore };
  };

  test('the conversation is the chain that leads to the last row, without abandoned branches', async () => {
    write(
      person('p1', null),
      answer('a1', 'p1'),
      person('left', 'a1'),
      answer('left2', 'left'),
      person('p2', 'a1'),
      answer('a2', 'p2'),
    );
    expect(await read()).toEqual({ uuids: ['p1', 'a1', 'p2', 'a2'], hasMore: false });
  });

  test('tools that ran in parallel stay with their answer', async () => {
    write(
      person('p', null),
      answer('c1', 'p', 'm'),
      answer('c2', 'c1', 'm'),
      answer('c3', 'c2', 'm'),
      result('r1', 'c1'),
      result('r3', 'c3'),
      result('r2', 'c2'),
      answer('end', 'r2'),
    );
    expect((await read()).uuids).toEqual(['p', 'c1', 'c2', 'c3', 'r1', 'r3', 'r2', 'end']);
  });

  test('a summary of the conversation does not hide earlier rows', async () => {
    const boundary = {
      parentUuid: null,
      logicalParentUuid: 'a1',
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'b',
    };
    write(
      person('p1', null),
      answer('a1', 'p1'),
      boundary,
      { ...person('sum', 'b'), isCompactSummary: true },
      person('p2', 'sum'),
    );
    expect((await read()).uuids).toEqual(['p1', 'a1', 'b', 'sum', 'p2']);
  });

  test('reads only as many turns as requested', async () => {
    write(person('p1', null), answer('a1', 'p1'), person('p2', 'a1'), answer('a2', 'p2'), person('p3', 'a2'));
    expect(await read(2)).toEqual({ uuids: ['p2', 'a2', 'p3'], hasMore: true });
  });

  test('copes with bookkeeping, subagents, broken lines and very long lines', async () => {
    const rows = [
      { type: 'queue-operation', content: 'x' },
      person('p1', null, 'x'.repeat(3_000_000)),
      { ...answer('side', 'p1'), isSidechain: true },
      answer('a1', 'p1'),
      { type: 'last-prompt', leafUuid: 'a1' },
    ];
    writeFileSync(
      path,
      `${rows.map((row) => JSON.stringify(row)).join('\n')}\nnot json\n\n{"type":"user","uuid":"half`,
    );
    expect((await read()).uuids).toEqual(['p1', 'a1']);
    writeFileSync(path, '');
    expect(await read()).toEqual({ uuids: [], hasMore: false });
  });

  test('finds a session in any project’s folder, and no id leads out of there', async () => {
    write(person('p', null));
    expect(await findRecord(folder, sessionId)).toBe(path);
    expect(await findRecord(folder, '11111111-2222-4333-8444-000000000000')).toBeUndefined();
    expect(await findRecord(folder, '../project/x')).toBeUndefined();
    expect(await findRecord(join(folder, 'none'), sessionId)).toBeUndefined();
  });

  test('finds a message by its uuid, even across a chunk boundary', async () => {
    const uuid = '99999999-2222-4333-8444-555555555555';
    const edge = 1024 * 1024;
    for (let start = edge - uuid.length - 2; start <= edge; start += 1) {
      writeFileSync(path, `${'x'.repeat(start)}"${uuid}"${'x'.repeat(edge)}`);
      expect(await recordMentions(path, uuid), `begins ${edge - start} before the edge`).toBe(true);
    }
    expect(await recordMentions(path, uuid.replace('9', '8'))).toBe(false);
  });
});
