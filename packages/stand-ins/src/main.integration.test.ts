import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('prints its address in one line, and ends with its parent', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port, baseUrl } = JSON.parse(line) as { port: number; baseUrl: string };
  expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
  expect((await fetch(`${baseUrl}/v1/models`)).status).toBe(200);
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
