import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FileAtPath } from '@liminal/domain/diff/place-diffs';
import { createProjectFiles } from '../../providers/acp/client-services/project-files.ts';

/** Comparing more than this would block the server; a larger file is only reported as existing. */
const largestFile = 2 * 1024 * 1024;
/** A read that takes longer than this (a dead network drive) must not block the session. */
const patienceMs = 1000;

/**
 * The current content of a file that is about to change. Text is read only inside the project, by a reader that follows
 * no link out of it; for other files the user only learns that they exist.
 */
export async function readChangedFile(projectDir: string | undefined, path: string): Promise<FileAtPath> {
  if (projectDir === undefined) return 'unreadable';
  const timeUp = AbortSignal.timeout(patienceMs);
  const late = new Promise<FileAtPath>((settle) => {
    timeUp.addEventListener('abort', () => settle('unreadable'), { once: true });
  });
  return Promise.race([readNow(projectDir, resolve(projectDir, path)), late]);
}

async function readNow(projectDir: string, path: string): Promise<FileAtPath> {
  try {
    const { size } = await lstat(path);
    if (size > largestFile) return 'unreadable';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
  }
  try {
    const { content } = await createProjectFiles(projectDir).read({ path });
    // Binary content would be shown as a change of every line.
    return content.length > largestFile || content.includes('\0') ? 'unreadable' : { text: content };
  } catch {
    return 'unreadable';
  }
}
