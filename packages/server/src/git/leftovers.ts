import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Different in each process: in a container, the next server often gets the same pid. */
const self = `${process.pid}-${randomUUID().slice(0, 8)}`;

/** Our files for a repository, inside its git directory and never among the user's files. */
export const ownFolder = (gitDir: string): string => join(gitDir, 'liminal');

/** A path for a temporary file. The name identifies the server, in case it dies before it removes the file. */
export const temporaryPath = (gitDir: string, kind: string): string =>
  join(ownFolder(gitDir), `tmp-${self}-${kind}-${randomUUID()}`);

/** Removes what earlier servers left behind, including locks of their git commands. */
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
    // A process of another user is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
