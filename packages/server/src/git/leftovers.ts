import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Another one in each process: in a container the next server often has the number of the one before. */
const self = `${process.pid}-${randomUUID().slice(0, 8)}`;

/** Where our files for a repository are: in its git directory, never among the user's files. */
export const ownFolder = (gitDir: string): string => join(gitDir, 'liminal');

/** A path for something that is gone again soon. Its name says whose it is, in case that server ends before. */
export const temporaryPath = (gitDir: string, kind: string): string =>
  join(ownFolder(gitDir), `tmp-${self}-${kind}-${randomUUID()}`);

/** Takes away what servers that are gone left behind, the locks of their git commands included. */
export async function removeLeftovers(gitDir: string): Promise<void> {
  const names = await readdir(ownFolder(gitDir)).catch(() => []);
  const left = names.filter((name) => {
    const [, owner, pid] = /^tmp-((\d+)-[0-9a-f]+)-/.exec(name) ?? [];
    return owner !== undefined && owner !== self && (Number(pid) === process.pid || !isRunning(Number(pid)));
  });
  await Promise.all(left.map((name) => rm(join(ownFolder(gitDir), name), { recursive: true, force: true })));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
