import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { patience } from './torture.ts';

/**
 * Runs a program that kills itself at a step (`killAtStep`), and waits for the git commands it left running. Returns
 * the number of its steps, or null if it was killed.
 */
export async function runKilled(program: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const started = [...output.matchAll(/^git (\d+)$/gm)].map(([, pid]) => Number(pid));
  await vi.waitUntil(() => !started.some(isRunning), patience);
  if (code === null) return null;
  expect(output).toMatch(/^steps \d+$/m);
  return Number(/^steps (\d+)$/m.exec(output)?.[1]);
}

function isRunning(pid: number): boolean {
  try {
    // A zombie counts as ended.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
