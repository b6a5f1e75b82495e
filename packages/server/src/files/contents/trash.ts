import { randomUUID } from 'node:crypto';
import type { CopyOptions, RmOptions } from 'node:fs';
import * as files from 'node:fs/promises';
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { z } from 'zod';
import { findForChange } from './find-inside.ts';
import { codeOf, fileFailure, openFolder } from './open-folder.ts';
import { checkRoom, type DiskSpace, NoRoom } from './trash-room.ts';

type Disk = {
  rename(from: string, to: string): Promise<void>;
  cp(from: string, to: string, options: CopyOptions): Promise<void>;
  rm(path: string, options: RmOptions): Promise<void>;
  statfs(path: string): Promise<DiskSpace>;
};
export type TrashDeps = {
  readonly folder: string;
  readonly now: () => number;
  readonly keptMs?: number;
  /** Called if an old item can't be dropped. The next attempt tries again. */
  readonly onDropFailed?: (error: unknown) => void;
  /** Moves files between the project and the trash. */
  readonly disk?: Disk;
};
export type Trash = ReturnType<typeof createTrash>;

const About = z.object({ root: z.string(), way: z.string(), removedAt: z.number() });
const [aboutName, contentName] = ['about.json', 'content'];
const usualKeptMs = 30 * 24 * 3_600_000;

/** Deleted files. They are moved aside, kept for a month, and can be restored. */
export function createTrash({ folder, now, keptMs = usualKeptMs, onDropFailed = () => {}, disk = files }: TrashDeps) {
  const placeOf = (undoId: string): string => join(folder, undoId);
  const aboutOf = async (undoId: string) => {
    const text = await readFile(join(placeOf(undoId), aboutName), 'utf8').catch(() => '{}');
    const read = About.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  };

  /** Drops what was kept long enough. */
  async function dropOld(): Promise<void> {
    for (const undoId of await readdir(folder).catch(() => [])) {
      const about = await aboutOf(undoId).catch(() => null);
      if (about !== null && now() - about.removedAt > keptMs)
        await disk.rm(placeOf(undoId), { recursive: true, force: true }).catch(onDropFailed);
    }
  }

  return {
    dropOld,
    async remove(projectFolder: string, path: string): Promise<Result<{ undoId: string }>> {
      const found = await findForChange(projectFolder, path, 'kept');
      if (!found.ok) return found;
      const { root, way, isThere } = found.value;
      if (!isThere) return fail('FILE_NOT_FOUND', `This project has no file "${path}".`);
      const undoId = randomUUID();
      const place = placeOf(undoId);
      try {
        await dropOld();
        await mkdir(place, { recursive: true, mode: 0o700 });
        // Written first, so the file can be restored even after a crash.
        await writeFile(join(place, aboutName), JSON.stringify({ root, way, removedAt: now() }), { flush: true });
        const parent = await openFolder(root, dirname(way));
        try {
          const from = parent.at(basename(way));
          await moveAside(disk, from, join(place, contentName), async () => checkRoom(from, await disk.statfs(place)));
          await parent.sync();
        } finally {
          await parent.close();
        }
        return ok({ undoId });
      } catch (error) {
        if (error instanceof HalfMoved)
          return fail(
            'INTERNAL_ERROR',
            `"${path}" is only partly deleted. A complete copy is in ${join(place, contentName)} for 30 days.`,
          );
        await rm(place, { recursive: true, force: true }).catch(() => {});
        if (error instanceof NoRoom)
          return fail(
            'NOT_SUPPORTED',
            `"${path}" is too large for the trash in ${folder}, which is on another disk. Free some space there, or delete it in a terminal.`,
          );
        return fileFailure(error, path);
      }
    },
    async restore(projectFolder: string, undoId: string): Promise<Result<Record<string, never>>> {
      const missing = fail('FILE_NOT_FOUND', 'There is nothing to restore. Deleted files are kept for 30 days.');
      if (!/^[\w-]{36}$/.test(undoId)) return missing;
      const about = await aboutOf(undoId).catch(() => null);
      if (about === null) return missing;
      const found = await findForChange(projectFolder, about.way, 'kept');
      if (!found.ok) return found;
      if (found.value.root !== about.root) return missing;
      try {
        const parent = await openFolder(about.root, dirname(about.way), { makes: true });
        try {
          const target = parent.at(basename(about.way));
          if ((await lstat(target).catch(() => null)) !== null)
            return fail('FILE_CHANGED', `"${about.way}" exists again. Rename it, then undo.`);
          await moveAside(disk, join(placeOf(undoId), contentName), target);
          await parent.sync();
        } finally {
          await parent.close();
        }
        await rm(placeOf(undoId), { recursive: true, force: true });
        return ok({});
      } catch (error) {
        return fileFailure(error, about.way);
      }
    },
  };
}

/** A move failed halfway: only the copy is complete. */
class HalfMoved extends Error {}

/**
 * Renames a file. Across disks it copies to a temporary name first, and removes the original only when the copy is
 * complete. If that fails halfway, it restores what is missing. If that fails too, it throws `HalfMoved`.
 * `beforeCopy` may throw to prevent the copy.
 */
async function moveAside(
  disk: Disk,
  from: string,
  to: string,
  beforeCopy: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await disk.rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    await beforeCopy();
    const partial = join(dirname(to), `.${basename(to)}.partial`);
    const exact = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true } as const;
    try {
      await disk.cp(from, partial, { ...exact, errorOnExist: true, force: false });
      await disk.rename(partial, to);
    } catch (failure) {
      await disk.rm(partial, { recursive: true, force: true }).catch(() => {});
      throw failure;
    }
    await disk.rm(from, { recursive: true }).catch(async (failure: unknown) => {
      await disk.cp(to, from, { ...exact, force: false }).catch((cause: unknown) => {
        throw new HalfMoved('The original is incomplete.', { cause });
      });
      throw failure;
    });
  }
}
