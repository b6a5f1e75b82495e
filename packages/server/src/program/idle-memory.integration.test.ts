import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

/** Prints the size of its young generation in MB: after work, and once it is small. */
const script = `
  const { releaseMemoryWhenIdle } = await import('${new URL('./idle-memory.ts', import.meta.url).href}');
  const { getHeapSpaceStatistics } = await import('node:v8');
  const isYoung = (space) => space.space_name === 'new_space';
  const young = () => getHeapSpaceStatistics().find(isYoung).physical_space_size / 1024 / 1024;
  const kept = [];
  for (let index = 0; index < 400_000; index += 1) kept.push({ index, text: 'text ' + index });
  kept.length = 0;
  console.log(young());
  releaseMemoryWhenIdle();
  setInterval(() => young() < 4 && console.log(young()), 100);`;

it('makes V8 shrink its young generation in a process that has become idle', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const sizes: number[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      sizes.push(Number(line));
      if (sizes.length === 2) break;
    }
  } finally {
    child.kill('SIGKILL');
  }
  expect(sizes[0]).toBeGreaterThan(8);
  expect(sizes[1]).toBeLessThan(4);
});
