import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cp, rename, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Result } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrash, type TrashDeps } from './trash.ts';

let root: string;
let project: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-trash-')));
  project = join(root, 'app');
  for (const folder of ['.git', 'src']) mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, '.git/config'), '[core]\n');
  writeFileSync(join(project, 'src/a.ts'), 'one\n');
  writeFileSync(join(root, 'secret.txt'), 'secret');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (path: string): string => join(project, path);
const trash = () => createTrash({ folder: join(root, 'trash'), now: Date.now });
const got = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
};

describe('FL-3: deleting a link', () => {
  it.each([
    ['a file', 'src/a.ts'],
    ['a folder', 'src'],
    ['nothing', 'gone.ts'],
    ['a file outside', '../secret.txt'],
  ])('deletes a link to %s, never its target, and restores the link', async (_what, target) => {
    symlinkSync(target, at('link'));
    const { undoId } = got(await trash().remove(project, 'link'));
    expect(readdirSync(project)).not.toContain('link');
    expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('one\n');
    expect(readFileSync(join(root, 'secret.txt'), 'utf8')).toBe('secret');
    got(await trash().restore(project, undoId));
    expect(readlinkSync(at('link'))).toBe(target);
  });

  it('deletes a file in a linked folder of the project, but not git’s own files through a link', async () => {
    symlinkSync('src', at('sources'));
    symlinkSync('.git', at('gits'));
    got(await trash().remove(project, 'sources/a.ts'));
    expect(readdirSync(at('src'))).toEqual([]);
    expect(await trash().remove(project, 'gits/config')).toMatchObject({ failure: { code: 'PATH_REFUSED' } });
    expect(readFileSync(at('.git/config'), 'utf8')).toBe('[core]\n');
  });
});

const failure = (code: string) => Object.assign(new Error(code), { code });
const monthMs = 31 * 24 * 3_600_000;

describe('FL-3: old items in the trash', () => {
  it('never block a deletion, even if one of them can’t be dropped', async () => {
    for (const name of ['b.ts', 'c.ts']) writeFileSync(at(`src/${name}`), name);
    const { undoId: stuck } = got(await trash().remove(project, 'src/b.ts'));
    got(await trash().remove(project, 'src/c.ts'));
    const failures: unknown[] = [];
    const later = createTrash({
      folder: join(root, 'trash'),
      now: () => Date.now() + monthMs,
      onDropFailed: (error) => failures.push(error),
      disk: {
        cp,
        rename,
        statfs,
        rm: (path, options) => (path.endsWith(stuck) ? Promise.reject(failure('EACCES')) : rm(path, options)),
      },
    });
    const { undoId } = got(await later.remove(project, 'src/a.ts'));
    expect(readdirSync(join(root, 'trash')).toSorted()).toEqual([stuck, undoId].toSorted());
    expect(failures).toMatchObject([{ code: 'EACCES' }]);
  });

  it('are dropped without a deletion too', async () => {
    got(await trash().remove(project, 'src/a.ts'));
    const after = (ms: number) => createTrash({ folder: join(root, 'trash'), now: () => Date.now() + ms });
    await after(0).dropOld();
    expect(readdirSync(join(root, 'trash'))).toHaveLength(1);
    await after(monthMs).dropOld();
    expect(readdirSync(join(root, 'trash'))).toEqual([]);
  });
});

describe('FL-3: deleting a folder when the trash is on another disk', () => {
  type Disk = NonNullable<TrashDeps['disk']>;
  /** A rename between the project and the trash fails, as between disks. */
  const twoDisks: Disk = {
    cp,
    rm,
    statfs,
    rename: async (from, to) => {
      if (dirname(from) !== dirname(to)) throw failure('EXDEV');
      await rename(from, to);
    },
  };
  /** Removes only some of the files. */
  const rmHalfway: Disk['rm'] = async (path) => {
    await rm(join(path, 'a.ts'));
    throw failure('EBUSY');
  };
  const removeWith = (disk: Partial<Disk>) =>
    createTrash({ folder: join(root, 'trash'), now: Date.now, disk: { ...twoDisks, ...disk } }).remove(project, 'src');
  beforeEach(() => writeFileSync(at('src/b.ts'), 'two\n'));

  it('moves the files, and restores them', async () => {
    const { undoId } = got(await removeWith({}));
    expect(readdirSync(project)).toEqual(['.git']);
    got(await trash().restore(project, undoId));
    expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('one\n');
  });

  /** A disk of 1 GB with this much free space. */
  const free = (bytes: number): Partial<Disk> => ({
    statfs: async () => ({ bsize: 4096, blocks: 262_144, bavail: bytes / 4096 }),
  });

  it('refuses a folder that would fill the other disk, says what to do, and copies nothing', async () => {
    const megabyte = 1024 ** 2;
    writeFileSync(at('src/large.bin'), Buffer.alloc(20 * megabyte));
    const copied: string[] = [];
    const cpSeen: Disk['cp'] = async (from, to, options) => {
      copied.push(to);
      await cp(from, to, options);
    };
    // A tenth of the disk stays free.
    const refused = await removeWith({ ...free(120 * megabyte), cp: cpSeen });
    expect(refused).toMatchObject({
      failure: { code: 'NOT_SUPPORTED', message: expect.stringMatching(/too large for the trash.*Free some space/) },
    });
    expect(copied).toEqual([]);
    expect(readdirSync(at('src'))).toEqual(['a.ts', 'b.ts', 'large.bin']);
    expect(readdirSync(join(root, 'trash'))).toEqual([]);
    got(await removeWith({ ...free(125 * megabyte), cp: cpSeen }));
    expect(copied).toHaveLength(1);
  });

  it('still moves a small folder to a disk that is nearly full', async () => {
    got(await removeWith(free(1024 ** 2)));
    expect(readdirSync(project)).toEqual(['.git']);
  });

  it('removes the part it has copied if the disk is full before the end', async () => {
    const cpHalfway: Disk['cp'] = async (from, to) => {
      await cp(join(from, 'a.ts'), join(to, 'a.ts'));
      throw failure('ENOSPC');
    };
    expect(await removeWith({ cp: cpHalfway })).toMatchObject({
      failure: { message: expect.stringContaining('The disk is full') },
    });
    expect(readdirSync(at('src'))).toEqual(['a.ts', 'b.ts']);
    expect(readdirSync(join(root, 'trash'))).toEqual([]);
  });

  it('puts back what is missing if the folder can be removed only in part', async () => {
    expect(await removeWith({ rm: rmHalfway })).toMatchObject({ failure: { message: expect.stringMatching(/EBUSY/) } });
    expect(readdirSync(at('src'))).toEqual(['a.ts', 'b.ts']);
    expect(readdirSync(join(root, 'trash'))).toEqual([]);
  });

  it('keeps the only complete copy, and says where, if the disk is full by then', async () => {
    const cpOnce: Disk['cp'] = async (from, to, options) => {
      if (from.startsWith(join(root, 'trash'))) throw failure('ENOSPC');
      await cp(from, to, options);
    };
    const removed = await removeWith({ rm: rmHalfway, cp: cpOnce });
    const [undoId = ''] = readdirSync(join(root, 'trash'));
    const copy = join(root, 'trash', undoId, 'content');
    expect(removed).toMatchObject({ failure: { message: expect.stringContaining(copy) } });
    expect(readdirSync(copy)).toEqual(['a.ts', 'b.ts']);
  });
});
