import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ensureBuilt } from './build.mjs';
import { SetupError } from './setup-error.mjs';

let folder: string;
let shown: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-'));
  shown = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const build = () => ({
  label: 'Building the sample',
  sources: ['package.json'],
  result: path.join(folder, 'built'),
  stampFile: path.join(folder, 'cache', 'stamp'),
  args: [],
});
const tool = (code: number) => () => {
  writeFileSync(path.join(folder, 'built'), '');
  return Promise.resolve({ code, output: '(!) Some chunks are larger than 500 kB\n' });
};

test('a tool’s warnings are hidden when it succeeds', async () => {
  await ensureBuilt(build(), tool(0));
  expect(shown).toContain('Building the sample');
  expect(shown).not.toContain('(!)');
  expect(readFileSync(path.join(folder, 'cache', 'stamp'), 'utf8')).not.toBe('');
});

test('a failing tool’s output is shown, and the next start builds again', async () => {
  const failing = ensureBuilt(build(), tool(1));
  await expect(failing).rejects.toThrow(SetupError);
  await expect(failing).rejects.toThrow(/larger than 500 kB\n.*Building the sample failed/s);
  expect(existsSync(path.join(folder, 'cache', 'stamp'))).toBe(false);
});

test('going back to the old sources after an interrupted build builds them again', async () => {
  await ensureBuilt(build(), tool(0));
  await expect(ensureBuilt({ ...build(), sources: ['package-lock.json'] }, tool(1))).rejects.toThrow(SetupError);
  const again = vi.fn(tool(0));
  await ensureBuilt(build(), again);
  expect(again).toHaveBeenCalledTimes(1);
});

test('an up-to-date build is not repeated', async () => {
  await ensureBuilt(build(), tool(0));
  const again = vi.fn(tool(0));
  await ensureBuilt(build(), again);
  expect(again).not.toHaveBeenCalled();
});
