import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { GrepBody, GrepLine } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGrep, grepHere, readMatch } from './grep-folder.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-grep-')));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), 'const limit = 3;\r\n// Limit again, limit twice\r\n');
  writeFileSync(join(folder, 'b.md'), 'no such word\nthe limit (of 3)');
  writeFileSync(join(folder, 'c.bin'), Buffer.from('limit\0limit'));
  symlinkSync('/etc', join(folder, 'away'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = ['src/a.ts', 'b.md', 'c.bin', 'away/passwd', 'gone.txt'];
async function grep(body: GrepBody, signal = new AbortController().signal, listed = files): Promise<GrepLine[]> {
  const lines: GrepLine[] = [];
  await grepHere({ folder, body, files: async () => listed, signal, say: (line) => lines.push(line) });
  return lines;
}
const done = { done: true, truncated: false };

describe('FL-1: searching in the contents', () => {
  it('finds plain text in any case, each line once, with its position', async () => {
    expect(await grep({ query: 'limit' })).toEqual([
      { path: 'src/a.ts', line: 1, column: 7, text: 'const limit = 3;' },
      { path: 'src/a.ts', line: 2, column: 4, text: '// Limit again, limit twice' },
      { path: 'b.md', line: 2, column: 5, text: 'the limit (of 3)' },
      done,
    ]);
  });

  it('supports case, patterns and globs, and escapes special characters in plain text', async () => {
    expect(await grep({ query: 'Limit', case: true })).toHaveLength(2);
    expect(await grep({ query: '(of 3)' })).toHaveLength(2);
    expect(await grep({ query: String.raw`limit = \d`, regex: true })).toHaveLength(2);
    expect(await grep({ query: 'limit', globs: ['*.md'] })).toHaveLength(2);
    expect(await grep({ query: 'limit', globs: ['!src/**'] })).toHaveLength(2);
  });

  it('follows no links out of the folder', async () => {
    expect(await grep({ query: 'root' })).toEqual([done]);
  });

  it('uses ripgrep from PATH, but not from a relative folder: that would be one of the project', () => {
    writeFileSync(join(folder, 'rg'), '', { mode: 0o755 });
    expect(createGrep(folder)).not.toBe(grepHere);
    expect(createGrep(`${relative(process.cwd(), folder)}::.`)).toBe(grepHere);
  });

  it('explains what is wrong with a pattern', async () => {
    expect(await grep({ query: '(', regex: true })).toMatchObject([{ done: true, error: /valid pattern/ }]);
  });

  it('stops at once when cancelled, even in a pattern that never ends', async () => {
    writeFileSync(join(folder, 'slow.txt'), `${'a'.repeat(60)}b`);
    const control = new AbortController();
    const searching = grep({ query: '(a+)+$', regex: true }, control.signal, ['slow.txt']);
    setImmediate(() => control.abort());
    expect(await searching).toEqual([]);
  });

  it('reads ripgrep’s output', () => {
    const line = {
      type: 'match',
      data: { path: { text: './a.ts' }, line_number: 3, lines: { text: 'é limit\n' }, submatches: [{ start: 3 }] },
    };
    expect(readMatch(JSON.stringify(line))).toEqual({ path: 'a.ts', line: 3, column: 3, text: 'é limit' });
    expect(readMatch('{"type":"end"}')).toBeNull();
    expect(readMatch('nonsense')).toBeNull();
  });
});

describe('FL-1: searching with ripgrep', () => {
  const record = (line: number, text: string): string =>
    JSON.stringify({
      type: 'match',
      data: { path: { text: './a.js' }, lines: { text }, line_number: line, submatches: [{ start: 0 }] },
    });
  /** Searches with a program that prints this instead of searching. */
  async function grepPrinted(output: string, onLine: (control: AbortController) => void = () => {}) {
    const program = join(folder, 'bin');
    mkdirSync(program);
    writeFileSync(join(program, 'output'), output);
    const script = `#!/bin/sh\necho "$@" > "${program}/args"\nexec cat "${program}/output"\n`;
    writeFileSync(join(program, 'rg'), script, { mode: 0o755 });
    const [lines, control] = [[] as GrepLine[], new AbortController()];
    const say = (line: GrepLine): void => {
      lines.push(line);
      onLine(control);
    };
    const { signal } = control;
    await createGrep(program)({ folder, body: { query: 'x' }, files: async () => [], signal, say });
    return { lines, args: readFileSync(join(program, 'args'), 'utf8') };
  }

  it('skips a match in a line of megabytes, says that more was found, and skips the largest files', async () => {
    const printed = [record(1, 'x one'), record(2, 'x'.repeat(3_000_000)), record(3, 'x three')];
    const { lines, args } = await grepPrinted(`${printed.join('\n')}\n`);
    expect(lines).toEqual([
      { path: 'a.js', line: 1, column: 1, text: 'x one' },
      { path: 'a.js', line: 3, column: 1, text: 'x three' },
      { done: true, truncated: true },
    ]);
    expect(args).toContain('--max-filesize 64M');
  });

  it('reads nothing more once it is cancelled', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const { lines } = await grepPrinted(`${record(1, 'x')}\n`.repeat(50), (control) => control.abort());
    expect(lines).toHaveLength(1);
    expect(parse).toHaveBeenCalledTimes(1);
  });
});
