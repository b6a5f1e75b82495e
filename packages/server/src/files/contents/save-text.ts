import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { findForChange } from './find-inside.ts';
import { codeOf, fileFailure, type OpenFolder, openFolder } from './open-folder.ts';
import { byteOrderMark, eolOf, hashOf, mostWhole, readFlags } from './read-text.ts';
import { HalfSaved, writeInPlace } from './write-in-place.ts';

/** `match`: the file must still have this hash. `new`: the file must not exist. */
export type SaveCondition = { readonly kind: 'match'; readonly etag: string } | { readonly kind: 'new' };

const newFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const modeBits = 0o7777;

/**
 * Saves text to a new file that then replaces the old one, so a reader, or a crash, sees either the old file or the new
 * one. Mode, line endings and byte order mark stay.
 */
export async function saveText(
  folder: string,
  path: string,
  content: string,
  condition: SaveCondition,
): Promise<Result<{ etag: string }>> {
  const found = await findForChange(folder, path, 'followed');
  if (!found.ok) return found;
  const { root, way } = found.value;
  try {
    const parent = await openFolder(root, dirname(way), { makes: condition.kind === 'new' });
    try {
      await removeLeftovers(parent, basename(way));
      return condition.kind === 'new'
        ? await create(parent, basename(way), path, content)
        : await replace(parent, basename(way), path, content, condition.etag);
    } finally {
      await parent.close();
    }
  } catch (error) {
    if (error instanceof HalfSaved)
      return fail('INTERNAL_ERROR', `"${path}" is only partly saved. Check the disk, then save again.`);
    return fileFailure(error, path);
  }
}

async function create(
  parent: OpenFolder,
  name: string,
  path: string,
  content: string,
): Promise<Result<{ etag: string }>> {
  const bytes = Buffer.from(content);
  const draft = await writeDraft(parent, name, bytes, 0o666);
  try {
    // Unlike a rename, a hard link never replaces a file that was created meanwhile.
    await link(parent.at(draft), parent.at(name));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return fail('FILE_CHANGED', `The file "${path}" already exists.`);
    throw error;
  } finally {
    await unlink(parent.at(draft)).catch(() => {});
  }
  await parent.sync();
  return ok({ etag: hashOf(bytes) });
}

async function replace(
  parent: OpenFolder,
  name: string,
  path: string,
  content: string,
  etag: string,
): Promise<Result<{ etag: string }>> {
  const old = await open(parent.at(name), readFlags);
  try {
    const about = await old.stat();
    if (!about.isFile()) return fail('NOT_SUPPORTED', `"${path}" isn't a file.`);
    if (about.size > mostWhole) return fail('NOT_SUPPORTED', `"${path}" is too large to be changed here.`);
    const before = await old.readFile();
    const now = hashOf(before);
    if (now !== etag) return changed(path, now);
    if (!isText(before)) return fail('NOT_SUPPORTED', `"${path}" isn't UTF-8 text, so it can't be changed here.`);
    if ((about.mode & 0o222) === 0) return fail('PATH_REFUSED', `"${path}" is write-protected.`);
    const bytes = likeBefore(content, before);
    // Replacing the file would leave the old text in its other hard links.
    const saved =
      about.nlink > 1
        ? await writeInPlace(parent, name, about, before, bytes)
        : await takePlace(parent, name, old, about, before, bytes);
    if (!saved) {
      const other = await open(parent.at(name), readFlags).then(readAndClose, () => null);
      return changed(path, other === null ? '' : hashOf(other));
    }
    await parent.sync();
    return ok({ etag: hashOf(bytes) });
  } finally {
    await old.close();
  }
}

async function readAndClose(file: FileHandle): Promise<Buffer> {
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

const changed = (path: string, etag: string) =>
  fail('FILE_CHANGED', `"${path}" was changed in the meantime. Compare both versions, then save again.`, { etag });

/** False if the file is no longer the one that was read. */
async function takePlace(
  parent: OpenFolder,
  name: string,
  old: FileHandle,
  about: Stats,
  before: Buffer,
  bytes: Buffer,
): Promise<boolean> {
  const draft = await writeDraft(parent, name, bytes, about.mode & modeBits).catch((error: unknown) => {
    // The file may be writable even if its folder isn't.
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return null;
    throw error;
  });
  if (draft === null) return writeInPlace(parent, name, about, before, bytes);
  const spare = draftNameOf(name);
  const isKept = await link(parent.at(name), parent.at(spare)).then(
    () => true,
    () => false,
  );
  try {
    const fresh = await inodeOf(parent, draft);
    // This check comes right before the rename. Only a change between the two can be overwritten.
    if (!(await holds(old, before)) || !(await isStill(parent, name, about))) return false;
    await rename(parent.at(draft), parent.at(name));
    await parent.sync();
    // A program that had the old file open may have written to it at the last moment. Its text wins.
    if (!isKept || (await holds(old, before)) || !(await isStill(parent, name, fresh))) return true;
    await rename(parent.at(spare), parent.at(name));
    return false;
  } finally {
    for (const left of [draft, spare]) await unlink(parent.at(left)).catch(() => {});
  }
}

/** Whether an open file still has this content. */
async function holds(file: FileHandle, before: Buffer): Promise<boolean> {
  const now = Buffer.alloc(before.length + 1);
  const { bytesRead } = await file.read(now, 0, now.length, 0);
  return now.subarray(0, bytesRead).equals(before);
}

type Inode = Pick<Stats, 'ino' | 'dev'>;

async function isStill(parent: OpenFolder, name: string, about: Inode): Promise<boolean> {
  const now = await inodeOf(parent, name).catch(() => null);
  return now !== null && now.ino === about.ino && now.dev === about.dev;
}

async function inodeOf(parent: OpenFolder, name: string): Promise<Inode> {
  const file = await open(parent.at(name), readFlags);
  try {
    return await file.stat();
  } finally {
    await file.close();
  }
}

const draftNameOf = (name: string): string => `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`;

/** Removes temporary files of a server that was killed while saving. Only one save per file runs at a time. */
async function removeLeftovers(parent: OpenFolder, name: string): Promise<void> {
  const [before, after] = [`.${name.slice(0, 100)}.`, /^[0-9a-f]{12}\.tmp$/];
  for (const other of await readdir(parent.at('.')).catch(() => []))
    if (other.startsWith(before) && after.test(other.slice(before.length)))
      await unlink(parent.at(other)).catch(() => {});
}

async function writeDraft(parent: OpenFolder, name: string, bytes: Buffer, mode: number): Promise<string> {
  const draft = draftNameOf(name);
  const file = await open(parent.at(draft), newFlags, mode);
  try {
    await file.writeFile(bytes);
    // Restore the bits that the process's umask removed. A new file keeps to the umask.
    if (mode !== 0o666) await file.chmod(mode);
    await file.sync();
  } catch (error) {
    await unlink(parent.at(draft)).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

function isText(bytes: Buffer): boolean {
  if (bytes.subarray(0, 8_000).includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The text with the file's byte order mark, and with its CRLF line endings if the text has only LF. */
function likeBefore(content: string, before: Buffer): Buffer {
  const hasMark = before.subarray(0, 3).equals(byteOrderMark);
  const wasCrlf = eolOf(before.toString('utf8')) === 'crlf';
  const text = wasCrlf && !content.includes('\r') ? content.replaceAll('\n', '\r\n') : content;
  const bytes = Buffer.from(text);
  return hasMark && !bytes.subarray(0, 3).equals(byteOrderMark) ? Buffer.concat([byteOrderMark, bytes]) : bytes;
}
