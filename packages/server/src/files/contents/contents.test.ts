import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listTree } from './list-tree.ts';
import { moveFile } from './move-file.ts';
import { hashOf, readText } from './read-text.ts';
import { saveText } from './save-text.ts';
import { createTrash } from './trash.ts';

let root: string;
let project: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-contents-')));
  project = join(root, 'app');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'src/a.ts'), 'one\ntwo\n');
  writeFileSync(join(project, '.git/config'), '[core]\n');
  writeFileSync(join(root, 'secret.txt'), 'secret');
  symlinkSync(join(root, 'secret.txt'), join(project, 'out.txt'));
  symlinkSync('..', join(project, 'up'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (path: string): string => join(project, path);
const write = (path: string, bytes: string | Buffer): void => writeFileSync(at(path), bytes);
const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.failure.code);
const got = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
};
const read = async (path: string) => got(await readText(project, { path }));
const save = async (path: string, content: string, etag?: string) =>
  saveText(project, path, content, { kind: 'match', etag: etag ?? (await read(path)).etag });

describe('G-1: paths that lead out of a project', () => {
  const ways = ['../secret.txt', '/etc/passwd', 'up/secret.txt', 'src/../../secret.txt', 'up/app/../secret.txt'];
  it.each(ways)('refuses to read, save, move, delete or list %s', async (path) => {
    expect(codeOf(await readText(project, { path }))).toBe('PATH_REFUSED');
    expect(codeOf(await saveText(project, path, 'x', { kind: 'match', etag: hashOf(Buffer.from('secret')) }))).toBe(
      'PATH_REFUSED',
    );
    expect(codeOf(await saveText(project, path, 'x', { kind: 'new' }))).toBe('PATH_REFUSED');
    expect(codeOf(await moveFile(project, path, 'here.txt'))).toBe('PATH_REFUSED');
    expect(codeOf(await moveFile(project, 'src/a.ts', path))).toBe('PATH_REFUSED');
    const trash = createTrash({ folder: join(root, 'trash'), now: Date.now });
    expect(codeOf(await trash.remove(project, path))).toBe('PATH_REFUSED');
    expect(readFileSync(join(root, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it('refuses to read or save through a link that leads out', async () => {
    expect(codeOf(await readText(project, { path: 'out.txt' }))).toBe('PATH_REFUSED');
    const etag = hashOf(Buffer.from('secret'));
    for (const condition of [{ kind: 'match', etag } as const, { kind: 'new' } as const])
      expect(codeOf(await saveText(project, 'out.txt', 'x', condition))).toBe('PATH_REFUSED');
    expect(readFileSync(join(root, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it.each(['.git/config', 'src/../.git/config', '.GIT/config', '.git', 'src/.git/hooks/x'])(
    'G-6: refuses to change %s, which is git’s own',
    async (path) => {
      expect(codeOf(await saveText(project, path, 'x', { kind: 'new' }))).toBe('PATH_REFUSED');
      expect(codeOf(await moveFile(project, 'src/a.ts', path))).toBe('PATH_REFUSED');
      expect(readFileSync(at('.git/config'), 'utf8')).toBe('[core]\n');
    },
  );
});

describe('FL-2: reading a file', () => {
  it('returns its line endings, byte order mark and whether it can be saved', async () => {
    write('crlf.txt', '\ufeffa\r\nb\r\n');
    write('mixed.txt', 'a\r\nb\n');
    write('latin1.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    write('binary.dat', Buffer.from([1, 0, 2]));
    expect(await read('src/a.ts')).toMatchObject({
      content: 'one\ntwo\n',
      eol: 'lf',
      bom: false,
      readOnly: false,
      size: 8,
    });
    expect(await read('crlf.txt')).toMatchObject({ content: 'a\r\nb\r\n', eol: 'crlf', bom: true });
    expect(await read('mixed.txt')).toMatchObject({ eol: 'mixed' });
    expect(await read('latin1.txt')).toMatchObject({ content: 'café', readOnly: true, reason: "It isn't UTF-8." });
    expect(await read('binary.dat')).toMatchObject({ content: '', binary: true, readOnly: true });
  });

  it('reads a large file in parts without splitting a character', async () => {
    write('large.txt', 'é'.repeat(3 * 1024 * 1024));
    const first = await read('large.txt');
    expect(first).toMatchObject({ readOnly: true, offset: 0, end: 1024 * 1024, size: 6 * 1024 * 1024 });
    const odd = got(await readText(project, { path: 'large.txt', offset: 5, length: 5 }));
    expect(odd.content).toBe('éé');
  });

  it.each([1, 2, 3, 4, 5, 7])('returns each character in exactly one part of %i bytes', async (length) => {
    const text = 'a€😀é€b😀';
    write('signs.txt', text);
    const part = async (offset: number) => got(await readText(project, { path: 'signs.txt', offset, length }));
    let [inSequence, inSteps] = ['', ''];
    for (let at = 0, end = 0; at < Buffer.byteLength(text); at += length) {
      inSteps += (await part(at)).content;
      const next = await part(end);
      inSequence += next.content;
      end = next.end ?? 0;
    }
    expect([inSequence, inSteps]).toEqual([text, text]);
  });

  it('reads a part of a file of 100 MB without reading the rest', async () => {
    write('huge.bin', 'begin');
    truncateSync(at('huge.bin'), 100 * 1024 * 1024);
    expect((await read('huge.bin')).binary).toBe(true);
  });

  it.each([
    ['missing.txt', 'FILE_NOT_FOUND'],
    ['src', 'NOT_SUPPORTED'],
    ['a\0b', 'PATH_REFUSED'],
  ])('answers for %j with %s', async (path, code) => expect(codeOf(await readText(project, { path }))).toBe(code));
});

describe('FL-3: saving a file', () => {
  it('keeps mode, line endings and byte order mark, and leaves no other file behind', async () => {
    write('run.sh', '\ufeffa\r\nb\r\n');
    chmodSync(at('run.sh'), 0o755);
    const saved = got(await save('run.sh', 'a\nc\n'));
    expect(readFileSync(at('run.sh'), 'utf8')).toBe('\ufeffa\r\nc\r\n');
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o755);
    expect((await read('run.sh')).etag).toBe(saved.etag);
    expect(readdirSync(project).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('saves text without a final newline unchanged', async () => {
    got(await save('src/a.ts', 'last line'));
    expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('last line');
  });

  it('refuses with the new etag if the file has changed since it was opened', async () => {
    const { etag } = await read('src/a.ts');
    write('src/a.ts', 'by the agent');
    const saved = await save('src/a.ts', 'mine', etag);
    expect(saved).toMatchObject({
      ok: false,
      failure: { code: 'FILE_CHANGED', details: { etag: hashOf(Buffer.from('by the agent')) } },
    });
    expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('by the agent');
  });

  it('creates a new file and its folders, and never overwrites an existing one', async () => {
    got(await saveText(project, 'new/deep/b.ts', 'hello', { kind: 'new' }));
    expect(readFileSync(at('new/deep/b.ts'), 'utf8')).toBe('hello');
    expect(codeOf(await saveText(project, 'src/a.ts', 'x', { kind: 'new' }))).toBe('FILE_CHANGED');
    expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('one\ntwo\n');
  });

  it('writes a file with two hard links in place, so both show the change', async () => {
    linkSync(at('src/a.ts'), at('second.ts'));
    got(await save('src/a.ts', 'new'));
    expect(readFileSync(at('second.ts'), 'utf8')).toBe('new');
  });

  it('saves through a link that stays inside, and keeps the link', async () => {
    symlinkSync('src/a.ts', at('link.ts'));
    got(await save('link.ts', 'through the link'));
    expect(lstatSync(at('link.ts')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('through the link');
  });

  it.each([
    ['a file that is not UTF-8', () => write('src/a.ts', Buffer.from([0xe9, 0x0a])), 'NOT_SUPPORTED'],
    ['a write-protected file', () => chmodSync(at('src/a.ts'), 0o444), 'PATH_REFUSED'],
  ])('refuses %s', async (_what, make, code) => {
    make();
    const before = readFileSync(at('src/a.ts'));
    expect(codeOf(await save('src/a.ts', 'x'))).toBe(code);
    expect(readFileSync(at('src/a.ts')).equals(before)).toBe(true);
  });

  it('loses no text silently if an agent and a user write at the same time', async () => {
    for (let round = 0; round < 30; round += 1) {
      write('race.txt', `start ${round}`);
      const { etag } = await read('race.txt');
      const [saved] = await Promise.all([
        save('race.txt', `person ${round}`, etag),
        Promise.resolve().then(() => write('race.txt', `agent ${round}`)),
      ]);
      const now = readFileSync(at('race.txt'), 'utf8');
      // If refused, the agent's text stays. If saved, it's the user's text, or the agent wrote after it.
      expect(saved.ok ? [`person ${round}`, `agent ${round}`] : [`agent ${round}`]).toContain(now);
    }
  });
});

describe('FL-3: moving and deleting', () => {
  it('moves a file and a folder without overwriting anything', async () => {
    got(await moveFile(project, 'src/a.ts', 'lib/b.ts'));
    expect(readFileSync(at('lib/b.ts'), 'utf8')).toBe('one\ntwo\n');
    expect(existsSync(at('src/a.ts'))).toBe(false);
    got(await moveFile(project, 'lib', 'other'));
    expect(existsSync(at('other/b.ts'))).toBe(true);
    write('taken.ts', 'mine');
    expect(codeOf(await moveFile(project, 'other/b.ts', 'taken.ts'))).toBe('FILE_CHANGED');
    expect(codeOf(await moveFile(project, 'other', 'other/inside'))).toBe('PATH_REFUSED');
    expect(codeOf(await moveFile(project, 'gone.ts', 'x.ts'))).toBe('FILE_NOT_FOUND');
    expect(readFileSync(at('taken.ts'), 'utf8')).toBe('mine');
  });

  it('restores a deleted file with its mode, and purges it after a month', async () => {
    let now = 0;
    const trash = createTrash({ folder: join(root, 'trash'), now: () => now });
    chmodSync(at('src/a.ts'), 0o600);
    const { undoId } = got(await trash.remove(project, 'src'));
    expect(existsSync(at('src'))).toBe(false);
    got(await trash.restore(project, undoId));
    expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('one\ntwo\n');
    expect(statSync(at('src/a.ts')).mode & 0o777).toBe(0o600);
    expect(codeOf(await trash.restore(project, undoId))).toBe('FILE_NOT_FOUND');

    const second = got(await trash.remove(project, 'src/a.ts'));
    write('src/a.ts', 'another');
    expect(codeOf(await trash.restore(project, second.undoId))).toBe('FILE_CHANGED');
    now += 31 * 24 * 3_600_000;
    got(await trash.remove(project, 'src/a.ts'));
    expect(codeOf(await trash.restore(project, second.undoId))).toBe('FILE_NOT_FOUND');
    expect(codeOf(await trash.restore(project, '../../etc'))).toBe('FILE_NOT_FOUND');
  });

  it('renames a link, not its target', async () => {
    symlinkSync('src/a.ts', at('link.ts'));
    got(await moveFile(project, 'link.ts', 'other.ts'));
    expect(readlinkSync(at('other.ts'))).toBe('src/a.ts');
    expect(readdirSync(project)).not.toContain('link.ts');
    expect(readdirSync(at('src'))).toEqual(['a.ts']);
  });

  it('never moves a file onto a link or through a link that leads out', async () => {
    symlinkSync('gone.ts', at('dangling.ts'));
    for (const path of ['dangling.ts', 'out.txt', 'up'])
      expect(codeOf(await moveFile(project, 'src/a.ts', path))).toBe('FILE_CHANGED');
    expect(codeOf(await moveFile(project, 'src/a.ts', 'up/b.ts'))).toBe('PATH_REFUSED');
    expect(readdirSync(root).toSorted()).toEqual(['app', 'secret.txt']);
    expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('one\ntwo\n');
  });
});

describe('FL-1: the tree of a project', () => {
  it('lists one folder, folders first, without .git, with git’s status if the folder is trusted', async () => {
    write('b10.txt', '');
    write('b9.txt', 'x');
    const names = async (path: string) => got(await listTree(project, path, null)).entries.map((entry) => entry.name);
    expect(await names('')).toEqual(['src', 'b9.txt', 'b10.txt', 'out.txt', 'up']);
    expect(await names('src')).toEqual(['a.ts']);
    const marked = await listTree(project, '', {
      ignored: async () => new Set(['b9.txt']),
      changes: async () => new Map([['src/a.ts', 'modified' as const]]),
    });
    expect(got(marked).entries.slice(0, 2)).toEqual([
      { name: 'src', path: 'src', kind: 'folder', ignored: false, change: 'modified' },
      { name: 'b9.txt', path: 'b9.txt', kind: 'file', size: 1, ignored: true },
    ]);
  });

  it('refuses a folder outside and says which one is missing', async () => {
    expect(codeOf(await listTree(project, 'up', null))).toBe('PATH_REFUSED');
    expect(codeOf(await listTree(project, 'nowhere', null))).toBe('FILE_NOT_FOUND');
  });
});
