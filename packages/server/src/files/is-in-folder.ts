import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';

/** Whether a file or folder is really in `folder`, not through a link that leads elsewhere. */
export async function isInFolder(folder: string, path: string): Promise<boolean> {
  const whole = join(folder, path);
  try {
    if ((await lstat(whole)).isSymbolicLink()) return false;
    return isBelow(folder, await realpath(whole));
  } catch {
    return false;
  }
}

/** Compares path segments: `/work/app-2` isn't in `/work/app`. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * Checks that every file mentioned in a message is in the project, following links. Plain text isn't checked: a user
 * may write any path, and the agent asks them for permission itself.
 */
export async function checkMentions(
  folder: string,
  mentions: readonly string[] = [],
): Promise<Result<null, 'INVALID_REQUEST'>> {
  if (mentions.length === 0) return ok(null);
  const root = await realpath(folder).catch(() => folder);
  for (const mention of mentions) {
    const found = mention.includes('\0') ? null : await realpath(resolve(root, mention)).catch(() => null);
    if (found === null) return fail('INVALID_REQUEST', `This project has no file "${mention}".`);
    if (!isBelow(root, found)) {
      return fail('INVALID_REQUEST', `"${mention}" is outside this project, so it can't be attached.`);
    }
  }
  return ok(null);
}
