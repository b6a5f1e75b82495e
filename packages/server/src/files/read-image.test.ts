import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readImage } from './read-image.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
let root: string;
let project: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-image-')));
  project = join(root, 'app');
  mkdirSync(join(project, 'docs'), { recursive: true });
  writeFileSync(join(project, 'docs/a.png'), png);
  writeFileSync(join(root, 'secret.png'), png);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const codeOf = async (path: string) => {
  const read = await readImage(project, path);
  return read.ok ? read.value.mimeType : read.failure.code;
};

describe('G-6: an image in a project', () => {
  it('is read by a relative path, an absolute path, and a link that stays inside', async () => {
    symlinkSync('docs', join(project, 'link'));
    for (const path of ['docs/a.png', './docs/../docs/a.png', join(project, 'docs/a.png'), 'link/a.png']) {
      expect(await readImage(project, path)).toEqual({
        ok: true,
        value: { mimeType: 'image/png', data: png.toString('base64') },
      });
    }
  });

  it('is refused outside the project by any path, even if nothing is there', async () => {
    symlinkSync('..', join(project, 'out'));
    symlinkSync('../secret.png', join(project, 'b.png'));
    mkdirSync(join(root, 'app-2'));
    writeFileSync(join(root, 'app-2/a.png'), png);
    const outside = ['../secret.png', '../none.png', join(root, 'secret.png'), '/etc/passwd', '../app-2/a.png'];
    for (const path of [...outside, 'out/secret.png', 'b.png'])
      expect([path, await codeOf(path)]).toEqual([path, 'PATH_REFUSED']);
  });

  it('has the type of its bytes, whatever its name', async () => {
    writeFileSync(join(project, 'page.png'), '<script>alert(1)</script>');
    writeFileSync(join(project, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    writeFileSync(join(project, 'photo.txt'), Buffer.from('ffd8ffe0', 'hex'));
    expect(await codeOf('page.png')).toBe('NOT_SUPPORTED');
    expect(await codeOf('drawing.svg')).toBe('NOT_SUPPORTED');
    expect(await codeOf('photo.txt')).toBe('image/jpeg');
  });

  it('can’t be a folder, a pipe, an oversized file or a missing one', async () => {
    execFileSync('mkfifo', [join(project, 'pipe.png')]);
    writeFileSync(join(project, 'large.png'), png);
    truncateSync(join(project, 'large.png'), 5 * 1024 * 1024 + 1);
    expect(await codeOf('docs')).toBe('NOT_SUPPORTED');
    expect(await codeOf('pipe.png')).toBe('NOT_SUPPORTED');
    expect(await codeOf('large.png')).toBe('FILE_TOO_LARGE');
    expect(await codeOf('none.png')).toBe('FILE_NOT_FOUND');
    expect(await codeOf('a\0.png')).toBe('FILE_NOT_FOUND');
  });
});
