import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';

export type AttachmentFolder = ReturnType<typeof createAttachmentFolder>;
type AttachmentFolderDeps = { readonly folder: string; readonly now: () => number; readonly keptMs?: number };

const usualKeptMs = 30 * 24 * 3_600_000;
const longestName = 120;

/** A safe file name that is a single path segment, whatever name the browser sent. */
export function safeName(given: string): string {
  const plain = basename(given.replaceAll('\\', '/')).replaceAll(/[^\p{L}\p{N}._ -]/gu, '_');
  const name = plain.replace(/^[. ]+/, '').trim();
  const ending = /\.[\w]{1,10}$/.exec(name)?.[0] ?? '';
  if (name.length <= longestName) return name === '' ? 'file' : name;
  return `${name.slice(0, longestName - ending.length)}${ending}`;
}

/** Attachments that agents can't take in a message. They are kept for a month, outside the project. */
export function createAttachmentFolder({ folder, now, keptMs = usualKeptMs }: AttachmentFolderDeps) {
  async function dropOld(): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const place = join(folder, name);
      const changed = (await stat(place).catch(() => null))?.mtimeMs ?? now();
      if (now() - changed > keptMs) await rm(place, { recursive: true, force: true });
    }
  }
  return {
    /** Writes each file to its own folder, so none replaces another. */
    async add(name: string, data: string): Promise<Result<{ path: string; size: number }>> {
      const bytes = Buffer.from(data, 'base64');
      const place = join(folder, randomUUID());
      const path = join(place, safeName(name));
      try {
        await dropOld();
        await mkdir(place, { recursive: true, mode: 0o700 });
        await writeFile(path, bytes, { mode: 0o600, flag: 'wx', flush: true });
        return ok({ path, size: bytes.length });
      } catch (error) {
        await rm(place, { recursive: true, force: true }).catch(() => {});
        const { code = '' } = error as NodeJS.ErrnoException;
        return fail('NOT_SUPPORTED', `The file couldn't be saved (${code}). Free some disk space, then try again.`);
      }
    },
  };
}
