import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pathText } from './path-text.ts';
import { readWorkingFile, writeWorkingFile } from './working-files.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-files-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');
const inFolder = (path: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), bytes(path)]);
const names = (): string[] =>
  readdirSync(Buffer.from(folder), { encoding: 'buffer' }).map((name) => name.toString('latin1'));

it('reads, replaces and removes a file in a folder whose name isn’t UTF-8', async () => {
  const path = pathText(bytes('caf\xe9/a.txt'));
  mkdirSync(inFolder('caf\xe9'));
  writeFileSync(inFolder('caf\xe9/a.txt'), 'old\n');
  chmodSync(inFolder('caf\xe9/a.txt'), 0o640);
  expect(await readWorkingFile(folder, path)).toEqual({
    ok: true,
    value: { content: Buffer.from('old\n'), mode: 0o100640 },
  });
  expect(await writeWorkingFile(folder, path, { content: Buffer.from('new\n'), mode: 0o100644 })).toMatchObject({
    ok: true,
  });
  expect(readFileSync(inFolder('caf\xe9/a.txt'), 'utf8')).toBe('new\n');
  expect(await writeWorkingFile(folder, path, null)).toMatchObject({ ok: true });
  expect(await readWorkingFile(folder, path)).toEqual({ ok: true, value: null });
  expect(names()).toEqual(['caf\xe9']);
});

it('creates missing folders whose names aren’t UTF-8, with and without a staging folder', async () => {
  const stage = join(folder, 'stage');
  mkdirSync(stage);
  const file = { content: Buffer.from('new\n'), mode: 0o100644 };
  expect(await writeWorkingFile(folder, pathText(bytes('caf\xe9/\xff/a.txt')), file)).toMatchObject({ ok: true });
  expect(await writeWorkingFile(folder, pathText(bytes('\xfe/b.txt')), file, stage)).toMatchObject({ ok: true });
  expect(readFileSync(inFolder('caf\xe9/\xff/a.txt'), 'utf8')).toBe('new\n');
  expect(readFileSync(inFolder('\xfe/b.txt'), 'utf8')).toBe('new\n');
  expect(names().toSorted()).toEqual(['caf\xe9', 'stage', '\xfe']);
});

it('reads and writes nothing behind a link that replaced a folder', async () => {
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.txt'), 'outside\n');
  symlinkSync(outside, inFolder('caf\xe9'));
  const path = pathText(bytes('caf\xe9/a.txt'));
  expect(await readWorkingFile(folder, path)).toEqual({ ok: true, value: null });
  expect(await writeWorkingFile(folder, path, { content: Buffer.from('new\n'), mode: 0o100644 })).toMatchObject({
    ok: false,
    failure: { code: 'PATH_REFUSED', message: `A parent folder of "${path}" is a link, so nothing is written there.` },
  });
  await writeWorkingFile(folder, path, null);
  expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('outside\n');
});

it('says why a file can’t be read', async () => {
  writeFileSync(join(folder, 'large.bin'), '');
  truncateSync(join(folder, 'large.bin'), 3 * 1024 ** 3);
  expect(await readWorkingFile(folder, 'large.bin')).toMatchObject({
    ok: false,
    failure: { code: 'PATH_REFUSED', message: '"large.bin" can\'t be read: it is larger than 2 GB.' },
  });
});
