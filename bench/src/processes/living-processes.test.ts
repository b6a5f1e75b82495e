import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isLiving, processesWith } from './living-processes.ts';

it('finds a process by a variable it was started with, until it has ended', async () => {
  const mark = `BENCH_MARK=${crypto.randomUUID()}`;
  const [name = '', value = ''] = mark.split('=');
  const child = spawn('sleep', ['60'], { env: { [name]: value }, stdio: 'ignore' });
  await once(child, 'spawn');
  expect(processesWith(mark)).toEqual([child.pid]);
  expect(isLiving(child.pid ?? 0)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(processesWith(mark)).toEqual([]);
  expect(isLiving(child.pid ?? 0)).toBe(false);
});
