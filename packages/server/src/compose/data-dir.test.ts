import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAnnounced, takeDataDir } from './data-dir.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'liminal-private-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the data directory', () => {
  it('is made private, with everything in it, if others could read it', async () => {
    const path = join(root, 'data');
    mkdirSync(path);
    for (const name of ['liminal.sqlite', 'lock.sqlite', 'token']) writeFileSync(join(path, name), '');
    for (const name of ['', ...readdirSync(path)]) chmodSync(join(path, name), name === '' ? 0o755 : 0o644);
    const dataDir = takeDataDir(path, null);
    const store = openSqliteStore(dataDir.databasePath);
    await store.write([{ type: 'put-setting', key: 'a', value: 1 }]);
    const files = readdirSync(path);
    expect(files).toEqual(expect.arrayContaining(['liminal.sqlite', 'liminal.sqlite-wal', 'lock.sqlite', 'token']));
    expect(modeOf(path)).toBe(0o700);
    expect(Object.fromEntries(files.map((name) => [name, modeOf(join(path, name))]))).toEqual(
      Object.fromEntries(files.map((name) => [name, 0o600])),
    );
    await store.close();
    dataDir.release();
  });

  it('is never a folder that is shared on purpose', () => {
    const path = join(root, 'shared');
    mkdirSync(path);
    chmodSync(path, 0o1777);
    expect(() => takeDataDir(path, null)).toThrow('Other users of this machine can read');
    expect([modeOf(path), readdirSync(path)]).toEqual([0o777, []]);
  });

  it('names the address of a running server, and never that of a killed one', () => {
    const path = join(root, 'data');
    const dataDir = takeDataDir(path, null);
    dataDir.announce('http://127.0.0.1:4747/');
    expect(readAnnounced(path)).toMatchObject({ address: 'http://127.0.0.1:4747/', pid: process.pid });
    expect(() => takeDataDir(path, null)).toThrow('is already running on');
    const file = join(path, 'server.json');
    const announced = JSON.parse(readFileSync(file, 'utf8')) as { started: number };
    // Another process has its id now.
    writeFileSync(file, JSON.stringify({ ...announced, started: announced.started + 1 }));
    expect(readAnnounced(path)).toBeNull();
    expect(() => takeDataDir(path, null)).toThrow(`is already running on ${path}. Open that one`);
    dataDir.release();
  });
});
