import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { reserveLog } from './reserve-log.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'liminal-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sizeOf = (path: string): number => statSync(path).size;

test('commits fit into a reserved log, before and after it starts again', () => {
  const path = join(folder, 'some.sqlite');
  const database = openDatabase(path);
  database.exec('CREATE TABLE texts (text TEXT)');
  reserveLog(path);
  const reserved = sizeOf(`${path}-wal`);
  const insert = database.prepare('INSERT INTO texts VALUES (?)');
  // More than the log holds, so it starts again on the way.
  for (let each = 0; each < 1_500; each += 1) insert.run('x'.repeat(4_000));
  expect(sizeOf(`${path}-wal`)).toBe(reserved);
  expect(database.prepare('SELECT count(*) AS count FROM texts').get()?.['count']).toBe(1_500);
  database.close();
});

test('a crash after a commit into a reserved log loses nothing, and what the log held before isn’t overwritten', () => {
  const path = join(folder, 'some.sqlite');
  const database = openDatabase(path);
  database.exec("CREATE TABLE texts (text TEXT); INSERT INTO texts VALUES ('before')");
  reserveLog(path);
  database.exec("INSERT INTO texts VALUES ('after')");
  // What is on disk at this moment, as a crash leaves it.
  const crashed = join(folder, 'crashed.sqlite');
  for (const end of ['', '-wal']) copyFileSync(path + end, crashed + end);
  database.close();
  const recovered = openDatabase(crashed);
  const texts = recovered.prepare('SELECT text FROM texts').all();
  expect(texts.map(({ text }) => text)).toEqual(['before', 'after']);
  expect(recovered.prepare('PRAGMA integrity_check').get()?.['integrity_check']).toBe('ok');
  recovered.close();
});

test('a log that is long enough stays as it is', () => {
  const path = join(folder, 'some.sqlite');
  const database = openDatabase(path);
  database.exec('CREATE TABLE texts (text TEXT)');
  reserveLog(path);
  const before = sizeOf(`${path}-wal`);
  reserveLog(path);
  expect(sizeOf(`${path}-wal`)).toBe(before);
  database.close();
});
