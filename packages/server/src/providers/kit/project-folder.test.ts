import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'liminal-folder-'));
  await writeFile(join(dir, 'file'), '');
  await symlink(dir, join(dir, 'link'));
});
afterAll(() => rm(dir, { recursive: true }));

test('accepts a folder, and resolves symlinks', async () => {
  expect(await projectFolder(dir)).toBe(dir);
  expect(await projectFolder(join(dir, 'link'))).toBe(dir);
});

test.each([
  ['', 'full path'],
  ['~', 'full path'],
  ['relative/path', 'full path'],
  ['missing', "doesn't exist"],
  ['file', 'is a file'],
])('TC-3.1c: rejects "%s" with the reason', async (path, words) => {
  const given = path === 'missing' || path === 'file' ? join(dir, path) : path;
  await expect(projectFolder(given)).rejects.toMatchObject({
    code: 'PROJECT_DIR_INVALID',
    message: expect.stringContaining(words) as string,
  });
});
