import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oneAtATime } from './one-at-a-time.mjs';
import { runCommand } from './run-command.mjs';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'setup-'));
  lock = path.join(folder, 'locks', 'setup.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process that has ended. */
const ended = (): number => spawnSync('true').pid;
const leaveLock = (...pids: readonly number[]): void => {
  mkdirSync(path.dirname(lock), { recursive: true });
  writeFileSync(lock, pids.map((pid) => `${pid}\n`).join(''));
};
const never = (sentence: string): never => {
  throw new Error(`it waits: ${sentence}`);
};

test('a second set-up waits until the first has ended', async () => {
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = oneAtATime(() => first.promise.then(() => void order.push('first')), never, lock);
  const waits = Promise.withResolvers<string>();
  const two = oneAtATime(async () => void order.push('second'), waits.resolve, lock);
  expect(await waits.promise).toContain(`process ${process.pid}`);
  expect(order).toEqual([]);
  first.resolve();
  await Promise.all([one, two]);
  expect(order).toEqual(['first', 'second']);
  expect(existsSync(lock)).toBe(false);
});

test('a set-up that was killed blocks nobody, but what it left running does', async () => {
  leaveLock(ended());
  expect(await oneAtATime(async () => 'ran', never, lock)).toBe('ran');
  leaveLock(ended(), process.pid);
  const onWait = vi.fn<(sentence: string) => void>(() => leaveLock(ended()));
  expect(await oneAtATime(async () => 'ran', onWait, lock)).toBe('ran');
  expect(onWait).toHaveBeenCalledTimes(1);
});

test('the lock names every program that set-up starts', async () => {
  await oneAtATime(
    async () => {
      const { output } = await runCommand('sh', ['-c', 'echo $$']);
      expect(readFileSync(lock, 'utf8')).toBe(`${process.pid}\n${output}`);
    },
    never,
    lock,
  );
});

test('a failure ends the lock, and a folder without locks prevents nothing', async () => {
  await expect(oneAtATime(() => Promise.reject(new Error('no')), never, lock)).rejects.toThrow('no');
  expect(existsSync(lock)).toBe(false);
  writeFileSync(path.join(folder, 'file'), '');
  expect(await oneAtATime(async () => 'ran', never, path.join(folder, 'file', 'setup.lock'))).toBe('ran');
});
