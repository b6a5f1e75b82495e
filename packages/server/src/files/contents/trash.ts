import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { z } from 'zod';
import { findForChange } from './find-inside.ts';
import { codeOf, fileFailure, openFolder } from './open-folder.ts';

export type TrashDeps = { readonly folder: string; readonly now: () => number; readonly keptMs?: number };
export type Trash = ReturnType<typeof createTrash>;

const About = z.object({ root: z.string(), way: z.string(), removedAt: z.number() });
const [aboutName, contentName] = ['about.json', 'content'];
const usualKeptMs = 30 * 24 * 3_600_000;

/** Deleted files. They are moved aside, kept for a month, and can be restored. */
export function createTrash({ folder, now, keptMs = usualKeptMs }: TrashDeps) {
  const placeOf = (undoId: string): string => join(folder, undoId);
  const aboutOf = async (undoId: string) => {
    const text = await readFile(join(placeOf(undoId), aboutName), 'utf8').catch(() => '{}');
    const read = About.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  };

  async function dropOld(): Promise<void> {
    for (const undoId of await readdir(folder).catch(() => [])) {
      const about = await aboutOf(undoId).catch(() => null);
      if (about !== null && now() - about.removedAt > keptMs)
        await rm(placeOf(undoId), { recursive: true, force: true });
    }
  }

  return {
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
          await moveAside(parent.at(basename(way)), join(place, contentName));
          await parent.sync();
        } finally {
          await parent.close();
        }
        return ok({ undoId });
      } catch (error) {
        await rm(place, { recursive: true, force: true }).catch(() => {});
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
          await moveAside(join(placeOf(undoId), contentName), target);
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

/**
 * Renames a file. Across disks it copies to a temporary name first, and removes the original only when the copy is
 * complete. If that fails halfway, it restores what is missing, so nothing exists only in the copy.
 */
async function moveAside(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    const partial = join(dirname(to), `.${basename(to)}.partial`);
    const exact = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true } as const;
    try {
      await cp(from, partial, { ...exact, errorOnExist: true, force: false });
      await rename(partial, to);
    } catch (failure) {
      await rm(partial, { recursive: true, force: true });
      throw failure;
    }
    await rm(from, { recursive: true }).catch(async (failure: unknown) => {
      await cp(to, from, { ...exact, force: false });
      throw failure;
    });
  }
}
