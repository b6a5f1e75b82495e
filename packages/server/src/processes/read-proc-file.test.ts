import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readProcFile } from './read-proc-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'liminal-proc-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('reads a file that is longer than the buffer, and a short one after it', () => {
  const [long, short] = [join(folder, 'long'), join(folder, 'short')];
  const text = Array.from({ length: 20_000 }, (_, place) => `${place}`).join(' ');
  writeFileSync(long, text);
  writeFileSync(short, 'short');
  expect(readProcFile(long)?.toString()).toBe(text);
  expect(readProcFile(short)?.toString()).toBe('short');
});

test('returns null for a process that is gone', () => {
  expect(readProcFile(join(folder, 'gone'))).toBeNull();
});

test.runIf(process.platform === 'linux')('reads what the system shows of this process', () => {
  expect(readProcFile('/proc/self/limits')?.toString()).toBe(readFileSync('/proc/self/limits', 'utf8'));
});
