import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { isBelow } from './is-in-folder.ts';

/**
 * Every file a message names as such lies in the project, links followed. Text is not looked at: a person may write of
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
