import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fail, ok, type ImageFile, type Result } from '@liminal/contracts';
import { imageKindOf } from './check-images.ts';
import { isBelow } from './is-in-folder.ts';

const mostBytes = 5 * 1024 * 1024;

/** Doesn't follow a link in the last segment, and doesn't wait for a pipe's writer. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads an image of a folder. Follows links first, and refuses a path outside the folder. The content determines the
 * type, never the name.
 */
export async function readImage(folder: string, path: string): Promise<Result<ImageFile>> {
  const missing = fail('FILE_NOT_FOUND', `This project has no file "${path}".`);
  if (path.includes('\0')) return missing;
  const root = await realpath(folder).catch(() => null);
  if (root === null) return missing;
  const whole = resolve(root, path);
  const real = await realpath(whole).catch(() => null);
  // The same answer for a missing file and one outside, so nothing is revealed about other folders.
  if (!isBelow(root, real ?? whole)) return fail('PATH_REFUSED', `"${path}" is outside this project.`);
  if (real === null) return missing;
  const file = await open(real, openFlags).catch(() => null);
  if (file === null) return missing;
  try {
    return (await isStillThere(file, real)) ? await readOpen(file, path) : missing;
  } finally {
    await file.close();
  }
}

/** A parent folder may have become a link since the path was checked. */
async function isStillThere(file: FileHandle, real: string): Promise<boolean> {
  const [opened, named, again] = await Promise.all([
    file.stat(),
    lstat(real).catch(() => null),
    realpath(real).catch(() => null),
  ]);
  return again === real && named?.ino === opened.ino && named.dev === opened.dev;
}

async function readOpen(file: FileHandle, path: string): Promise<Result<ImageFile>> {
  const about = await file.stat();
  if (!about.isFile()) return fail('NOT_SUPPORTED', `"${path}" isn't a file.`);
  if (about.size > mostBytes) {
    return fail('FILE_TOO_LARGE', `"${path}" is larger than 5 MB. Open it with another program.`);
  }
  const bytes = Buffer.alloc(about.size);
  const { bytesRead } = await file.read(bytes, 0, about.size, 0);
  const mimeType = imageKindOf(bytes.subarray(0, bytesRead));
  return mimeType === null
    ? fail('NOT_SUPPORTED', `"${path}" isn't a PNG, JPEG, GIF or WebP image.`)
    : ok({ mimeType, data: bytes.toString('base64', 0, bytesRead) });
}
