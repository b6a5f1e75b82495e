import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fail, FileDraft, ok, type Result, type SaveDraftBody } from '@liminal/contracts';
import { movedPath } from '@liminal/domain/text/moved-path';
import { z } from 'zod';
import { slashed } from './find-inside.ts';
import { fileFailure, isDiskFull } from './open-folder.ts';

export type FileDrafts = ReturnType<typeof createFileDrafts>;
type FileDraftsDeps = { readonly folder: string; readonly now: () => string };

/** Edits older than this are dropped. */
const keptMs = 90 * 24 * 3_600_000;
/** An incomplete file older than this isn't still being written: a server that ended left it. */
const writingMs = 3_600_000;

const stale = fail('STALE', 'This file was edited in another browser in the meantime. Nothing was overwritten.');

/** A draft on disk. Its name is a hash, so it also says whose draft it is; those of earlier versions don't. */
const StoredDraft = FileDraft.extend({ root: z.string().optional(), path: z.string().optional() });
type StoredDraft = z.infer<typeof StoredDraft>;

/** Unsaved edits, one per file, stored outside the project. An edit never replaces one its writer hasn't seen. */
export function createFileDrafts({ folder, now }: FileDraftsDeps) {
  /** One form for all ways to write a path, because a draft is found by it. */
  const plain = (root: string, path: string): string => slashed(relative(root, resolve(root, path)));
  // Paths are hashed, so no name can escape the folder.
  const placeOf = (root: string, path: string): string =>
    join(
      folder,
      `${createHash('sha256')
        .update(`${root}\0${plain(root, path)}`)
        .digest('hex')}.json`,
    );

  async function readAt(place: string): Promise<StoredDraft | null> {
    const text = await readFile(place, 'utf8').catch(() => 'null');
    try {
      return StoredDraft.safeParse(JSON.parse(text)).data ?? null;
    } catch {
      return null;
    }
  }
  async function read(root: string, path: string): Promise<FileDraft | null> {
    const held = await readAt(placeOf(root, path));
    return held === null ? null : FileDraft.parse(held);
  }
  async function write(root: string, path: string, draft: FileDraft): Promise<void> {
    const place = placeOf(root, path);
    const fresh = `${place}.${randomUUID()}`;
    const stored: StoredDraft = { ...draft, root, path: plain(root, path) };
    try {
      await writeFile(fresh, JSON.stringify(stored), { mode: 0o600, flush: true });
      await rename(fresh, place);
    } catch (error) {
      await rm(fresh, { force: true }).catch(() => {});
      throw error;
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
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await tidy();
        await write(root, path, draft);
      } catch (error) {
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
    /** A file or folder was moved: the edits of all files in it follow, with their versions. */
    async move(root: string, from: string, to: string): Promise<void> {
      const [before, after] = [plain(root, from), plain(root, to)];
      if (before === after) return;
      const paths = new Set([before]);
      for (const name of await readdir(folder).catch(() => [])) {
        const held = name.endsWith('.json') ? await readAt(join(folder, name)) : null;
        if (held?.root === root && held.path !== undefined) paths.add(held.path);
      }
      for (const path of paths) {
        const next = movedPath(path, before, after);
        const draft = next === null ? null : await read(root, path);
        if (next === null || draft === null) continue;
        // The old one is removed last, so a crash never loses it.
        await write(root, next, draft);
        await rm(placeOf(root, path), { force: true });
      }
    },
  };
}
