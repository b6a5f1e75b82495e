import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProjectFiles, type ProjectFiles } from './project-files.ts';

let base = '';
let root = '';
let files: ProjectFiles;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-files-')));
  root = join(base, 'project');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(base, 'project-beside'));
  writeFileSync(join(root, 'src/a.txt'), 'one\ntwo\r\nthree\n');
  writeFileSync(join(base, 'secret'), 'secret');
  writeFileSync(join(base, 'project-beside/secret'), 'secret');
  files = createProjectFiles(root);
});
afterEach(() => rmSync(base, { recursive: true }));

const read = (path: string, more: object = {}): Promise<{ content: string }> => files.read({ path, ...more });

test('reads a file in full, or some of its lines, counted from 1', async () => {
  const path = join(root, 'src/a.txt');
  expect(await read(path)).toEqual({ content: 'one\ntwo\r\nthree\n' });
  expect(await read(path, { line: 2 })).toEqual({ content: 'two\r\nthree\n' });
  expect(await read(path, { line: 2, limit: 1 })).toEqual({ content: 'two\r\n' });
  expect(await read(path, { limit: 1 })).toEqual({ content: 'one\n' });
  expect(await read(path, { line: 9 })).toEqual({ content: '' });
});

test('answers -32002 for a missing file, as agents about to create it expect', async () => {
  for (const path of ['none.txt', 'no/such/folder.txt', 'src/a.txt/below'])
    await expect(read(join(root, path))).rejects.toMatchObject({ code: -32002 });
});

test('creates or replaces a file, with its parent folders', async () => {
  await files.write({ path: join(root, 'src/a.txt'), content: 'x' });
  expect(readFileSync(join(root, 'src/a.txt'), 'utf8')).toBe('x');
  await files.write({ path: join(root, 'new/deep/b.txt'), content: 'ä' });
  expect(readFileSync(join(root, 'new/deep/b.txt'), 'utf8')).toBe('ä');
});

test('leaves a file as it was if there is no room for the new text', () => {
  const program = `
    const [module, root, path] = process.argv.slice(1);
    const { createProjectFiles } = await import(module);
    const content = 'x'.repeat(100_000);
    await createProjectFiles(root).write({ path, content }).catch((error) => console.log(error.code));`;
  const module = new URL('./project-files.ts', import.meta.url).href;
  const path = join(root, 'src/a.txt');
  // Stands in for a full disk: no file can be longer than a few kilobytes.
  const limited = ['-c', 'ulimit -S -f 8; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program];
  const said = execFileSync('/bin/sh', [...limited, module, root, path], { encoding: 'utf8' });
  expect(said.trim()).toBe('EFBIG');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\r\nthree\n');
});

test('follows links that stay inside', async () => {
  symlinkSync(join(root, 'src'), join(root, 'link'));
  expect(await read(join(root, 'link/a.txt'), { limit: 1 })).toEqual({ content: 'one\n' });
  await files.write({ path: join(root, 'link/c.txt'), content: 'c' });
  expect(readFileSync(join(root, 'src/c.txt'), 'utf8')).toBe('c');
});

describe('never reaches outside the project folder', () => {
  const outside = { code: -32602, message: expect.stringMatching(/outside the project folder/) as string };

  test.each([
    ['the parent through ..', () => `${root}/../secret`],
    ['.. after a folder', () => `${root}/src/../../secret`],
    ['.. through folders that do not exist', () => `${root}/nope/../../secret`],
    ['a folder with the same prefix', () => join(base, 'project-beside/secret')],
    ['the root of the file system', () => '/etc/hostname'],
  ])('%s', async (_, path) => {
    await expect(read(path())).rejects.toMatchObject(outside);
    await expect(files.write({ path: path(), content: 'x' })).rejects.toMatchObject(outside);
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('secret');
  });

  test('through a link to a file', async () => {
    symlinkSync(join(base, 'secret'), join(root, 'link'));
    await expect(read(join(root, 'link'))).rejects.toMatchObject(outside);
    await expect(files.write({ path: join(root, 'link'), content: 'x' })).rejects.toMatchObject(outside);
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('secret');
  });

  test('through a link to a folder, for existing and missing files', async () => {
    symlinkSync(base, join(root, 'link'));
    await expect(read(join(root, 'link/secret'))).rejects.toMatchObject(outside);
    for (const path of ['link/secret', 'link/new.txt', 'link/new/deep.txt'])
      await expect(files.write({ path: join(root, path), content: 'x' })).rejects.toMatchObject(outside);
    expect(execFileSync('ls', [base], { encoding: 'utf8' }).split('\n').filter(Boolean)).toEqual([
      'project',
      'project-beside',
      'secret',
    ]);
  });

  test('through a dangling link', async () => {
    symlinkSync(join(base, 'not-yet'), join(root, 'link'));
    await expect(files.write({ path: join(root, 'link'), content: 'x' })).rejects.toMatchObject({ code: -32002 });
  });

  test('through a link to a link', async () => {
    symlinkSync(join(base, 'secret'), join(root, 'one'));
    symlinkSync(join(root, 'one'), join(root, 'two'));
    await expect(read(join(root, 'two'))).rejects.toMatchObject(outside);
  });
});

test.each([
  ['walking from folder to folder', true],
  ['checking the opened file', false],
])('%s, never reaches outside through a folder that is repeatedly replaced by a link', async (_, walks) => {
  files = createProjectFiles(root, walks);
  const swapped = join(root, 'swap');
  mkdirSync(join(root, 'real'));
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(root, 'real/f'), 'inside');
  writeFileSync(join(base, 'outside/f'), 'secret');
  let isLink = true;
  symlinkSync(join(base, 'outside'), swapped);
  let isOver = false;
  const swap = (): void => {
    if (isOver) return;
    if (!isLink) renameSync(swapped, join(root, 'real'));
    isLink = !isLink;
    for (let isDone = false; !isDone;) {
      try {
        // A write that finds nothing there makes the folder anew.
        rmSync(swapped, { recursive: true, force: true });
        if (isLink) symlinkSync(join(base, 'outside'), swapped);
        else renameSync(join(root, 'real'), swapped);
        isDone = true;
      } catch (error) {
        if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
    }
    setImmediate(swap);
  };
  swap();
  const attempts = Array.from({ length: 150 }, async () => {
    const seen = await read(join(swapped, 'f')).catch(() => ({ content: '' }));
    await files.write({ path: join(swapped, 'f'), content: 'inside' }).catch(() => {});
    return seen.content;
  });
  // A read may see one of these writes half done.
  for (const content of await Promise.all(attempts)) expect(['inside', '']).toContain(content);
  isOver = true;
  expect(readFileSync(join(base, 'outside/f'), 'utf8')).toBe('secret');
});

test.each([
  ['a relative path', () => 'src/a.txt'],
  ['no path', () => ''],
  ['a path with a NUL byte', () => `${root}/a\0b`],
  ['a folder', () => join(root, 'src')],
])('rejects %s with the reason', async (_, path) => {
  await expect(read(path())).rejects.toMatchObject({ code: -32602 });
  await expect(files.write({ path: path(), content: 'x' })).rejects.toMatchObject({ code: -32602 });
});

test('rejects a pipe nobody writes to instead of waiting', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await expect(read(join(root, 'pipe'))).rejects.toMatchObject({ code: -32602 });
  await expect(files.write({ path: join(root, 'pipe'), content: 'x' })).rejects.toMatchObject({ code: -32602 });
});

test('reads some lines without splitting the whole file', async () => {
  const path = join(root, 'lines');
  writeFileSync(path, '\n'.repeat(4 * 1024 * 1024));
  const split = vi.spyOn(String.prototype, 'split');
  const { content } = await read(path, { line: 4 * 1024 * 1024 - 1 });
  // Something else in this process may split long texts meanwhile.
  const calls = split.mock.contexts.filter((text) => String(text).startsWith('\n'.repeat(1024)));
  vi.restoreAllMocks();
  expect(content).toBe('\n\n');
  expect(calls).toEqual([]);
});

test('counts lines in bytes and returns complete characters, wherever a read is cut', async () => {
  const path = join(root, 'characters');
  const lines = Array.from({ length: 3_000 }, (_, index) => `${index} ${'é😀'.repeat(index % 40)}\n`);
  writeFileSync(path, lines.join(''));
  expect(await read(path)).toEqual({ content: lines.join('') });
  for (const line of [1, 2, 1_000, 2_999]) {
    expect(await read(path, { line, limit: 700 })).toEqual({ content: lines.slice(line - 1, line + 699).join('') });
  }
});

test('rejects a file above the limit before reading it', async () => {
  execFileSync('truncate', ['-s', '17M', join(root, 'large')]);
  await expect(read(join(root, 'large'))).rejects.toMatchObject({ code: -32602 });
});
