import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, FileDraft, ok, type Result, type SaveDraftBody } from '@liminal/contracts';
import { fileFailure, isDiskFull } from './open-folder.ts';

export type FileDrafts = ReturnType<typeof createFileDrafts>;
type FileDraftsDeps = { readonly folder: string; readonly now: () => string };

/** Edits older than this are dropped. */
const keptMs = 90 * 24 * 3_600_000;
/** An incomplete file older than this isn't still being written: a server that ended left it. */
const writingMs = 3_600_000;

const stale = fail('STALE', 'This file was edited in another browser in the meantime. Nothing was overwritten.');

/** Unsaved edits, one per file, stored outside the project. An edit never replaces one its writer hasn't seen. */
export function createFileDrafts({ folder, now }: FileDraftsDeps) {
  // Paths are hashed, so no name can escape the folder.
  const placeOf = (root: string, path: string): string =>
    join(folder, `${createHash('sha256').update(`${root}\0${path}`).digest('hex')}.json`);

  async function read(root: string, path: string): Promise<FileDraft | null> {
    const text = await readFile(placeOf(root, path), 'utf8').catch(() => 'null');
    try {
      return FileDraft.safeParse(JSON.parse(text)).data ?? null;
    } catch {
      return null;
    }
  }

  let isTidied = false;
  /** Drops edits that are too old, and incomplete files. Runs once, with the first write. */
  async function tidy(): Promise<void> {
    if (isTidied) return;
    isTidied = true;
    const time = Date.parse(now());
    for (const name of await readdir(folder).catch(() => [])) {
      const place = join(folder, name);
      const about = await stat(place).catch(() => null);
      const limit = name.endsWith('.json') ? keptMs : writingMs;
      if (about !== null && time - about.mtimeMs > limit) await rm(place, { force: true });
    }
  }

  return {
    read,
    async save(
      root: string,
      path: string,
      { text, etag, replaces }: SaveDraftBody,
    ): Promise<Result<{ version: string }>> {
      const held = await read(root, path);
      // The same text again is a repeated request.
      if (held !== null && held.text === text && held.etag === etag) return ok({ version: held.version });
      if ((held?.version ?? null) !== replaces) return stale;
      const draft: FileDraft = { text, etag, version: randomUUID(), updatedAt: now() };
      const place = placeOf(root, path);
      const fresh = `${place}.${draft.version}`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await tidy();
        await writeFile(fresh, JSON.stringify(draft), { mode: 0o600, flush: true });
        await rename(fresh, place);
      } catch (error) {
        await rm(fresh, { force: true }).catch(() => {});
        if (isDiskFull(error)) return fileFailure(error, path);
        throw error;
      }
      return ok({ version: draft.version });
    },
    async remove(root: string, path: string, version: string): Promise<Result<Record<string, never>>> {
      const held = await read(root, path);
      if (held !== null && held.version !== version) return stale;
      await rm(placeOf(root, path), { force: true });
      return ok({});
    },
  };
}
