import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFolder } from './check-folder.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-folder-')));
  mkdirSync(join(root, 'real'));
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'real'), join(root, 'link'));
  symlinkSync(join(root, 'loop'), join(root, 'loop'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a project folder', () => {
  it('is identified by its real path', async () => {
    expect(await checkFolder(join(root, 'link'))).toEqual({ ok: true, value: join(root, 'real') });
    expect(await checkFolder(`${root}/real/../real/`)).toEqual({ ok: true, value: join(root, 'real') });
  });

  it.each([
    ['file', 'is a file'],
    ['none', "doesn't exist"],
    ['file/below', "isn't a folder"],
    ['loop', 'loops'],
    ['nul\0', 'null character'],
  ])('rejects %j with the reason', async (name, words) => {
    const checked = await checkFolder(`${root}/${name}`);
    expect(checked).toMatchObject({ ok: false, failure: { code: 'PROJECT_DIR_INVALID' } });
    expect(!checked.ok && checked.failure.message).toContain(words);
  });

  it.each(['~', '~/project', 'relative/path', '.', ''])('rejects %j because it isn’t an absolute path', async (dir) => {
    const checked = await checkFolder(dir);
    expect(!checked.ok && checked.failure.message).toContain('full path');
  });
});
