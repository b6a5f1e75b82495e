import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAttachmentFolder, safeName } from './attachments.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'liminal-attached-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('FL-4: attached files', () => {
  it('are written unchanged, each to its own private folder', async () => {
    const folder = createAttachmentFolder({ folder: join(root, 'attached'), now: Date.now });
    const data = Buffer.from([0, 255, 10]).toString('base64');
    const [one, two] = [await folder.add('a.bin', data), await folder.add('a.bin', data)];
    if (!one.ok || !two.ok) throw new Error('Not kept');
    expect(one.value.path).not.toBe(two.value.path);
    expect([...readFileSync(one.value.path)]).toEqual([0, 255, 10]);
    expect(statSync(one.value.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(one.value.path)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\work\\a b.txt', 'a b.txt'],
    ['.bashrc', 'bashrc'],
    ['..', 'file'],
    ['', 'file'],
    ['a\u0000\n$(rm).sh', 'a___(rm).sh'.replaceAll(/[()]/g, '_')],
    ['größe.png', 'größe.png'],
  ])('named %j are stored as %j', (given, name) => {
    expect(safeName(given)).toBe(name);
  });

  it('keep their extension however long the name is, and are removed after a month', async () => {
    expect(safeName(`${'x'.repeat(500)}.log`)).toMatch(/^x{116}\.log$/);
    const folder = createAttachmentFolder({ folder: root, now: Date.now });
    const old = await folder.add('old.txt', '');
    const place = dirname(old.ok ? old.value.path : '');
    const before = new Date(Date.now() - 31 * 24 * 3_600_000);
    utimesSync(place, before, before);
    await folder.add('new.txt', '');
    expect(readdirSync(root)).not.toContain(basename(place));
    expect(readdirSync(root)).toHaveLength(1);
  });
});
