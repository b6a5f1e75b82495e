import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { programFolder } from '../program/program-files.ts';
import { originalStack } from './original-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'liminal-stack-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('names the file and line of the source, not of the build', () => {
  const built = join(folder, 'start.js');
  const source = join(programFolder, 'packages/server/src/start.ts');
  // Line 2, column 0 of the build is line 5, column 2 of the source.
  writeFileSync(`${built}.map`, JSON.stringify({ version: 3, sources: [source], names: [], mappings: ';AAIE' }));
  const stack = `Error: lost\n    at find (${pathToFileURL(built).href}:2:1)\n    at node:internal/timers:1:1`;
  expect(originalStack(stack)).toBe(
    'Error: lost\n    at find (packages/server/src/start.ts:5:3)\n    at node:internal/timers:1:1',
  );
});

it('leaves files without a source map unchanged', () => {
  const stack = `Error: lost\n    at find (${pathToFileURL(join(folder, 'other.js')).href}:2:1)`;
  expect(originalStack(stack)).toBe(stack);
});
