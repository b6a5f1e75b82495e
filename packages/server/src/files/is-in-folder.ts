import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';

/** Is this a file or folder that is really in `folder`, itself and not through a link that leads elsewhere? */
export async function isInFolder(folder: string, path: string): Promise<boolean> {
  const whole = join(folder, path);
  try {
    if ((await lstat(whole)).isSymbolicLink()) return false;
    return isBelow(folder, await realpath(whole));
  } catch {
    return false;
  }
}

/** By path segments: `/work/app-2` does not lie in `/work/app`. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * Every file a message names as such is in the project, links followed. Text is not looked at: a user may write of
 * any path, and what an agent then does with it is the agent's own question to them.
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
