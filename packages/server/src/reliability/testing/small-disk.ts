import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A disk small enough to fill. */
export type SmallDisk = {
  readonly kind: 'a full disk' | 'a limit on file size';
  /** The command prefix that starts a program with this disk. */
  readonly within: readonly string[];
  /** Takes all the space that is left. */
  fill(): void;
  /** Frees it again. False if that needs a restart without the limit. */
  makeRoom(): boolean;
  /** Copies the database from it. */
  copyDatabase(to: string): void;
  remove(): Promise<void>;
};

/** Puts a small disk at the folder, for programs started `within`: a real one of this size if the system allows it. */
export async function createSmallDisk(folder: string, mebibytes: number): Promise<SmallDisk> {
  mkdirSync(folder, { recursive: true });
  const script = `mount -t tmpfs -o size=${mebibytes}m,mode=700 none "$0" && echo ready && exec sleep 3600`;
  const holder = spawn('unshare', ['-rm', '/bin/sh', '-c', script, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const isMounted = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
    once(holder, 'error').then(() => false),
  ]);
  return isMounted ? mounted(folder, holder) : limited(folder);
}

function mounted(folder: string, holder: ChildProcess): SmallDisk {
  const inside = `/proc/${holder.pid}/root${folder}`;
  const ballast = join(inside, 'ballast');
  return {
    kind: 'a full disk',
    within: ['nsenter', '-t', String(holder.pid), '-U', '-m', '--preserve-credentials', '--'],
    fill() {
      for (const size of [1024 * 1024, 4096]) {
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    makeRoom() {
      rmSync(ballast, { force: true });
      return true;
    },
    copyDatabase: (to) => copyDatabase(inside, to),
    async remove() {
      holder.kill('SIGKILL');
      if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
    },
  };
}

/** In blocks of 512 bytes: a little more than an empty database needs. */
const fileBlocks = 800;

/** Without permission to mount: limits the file size, so writing still fails. */
function limited(folder: string): SmallDisk {
  return {
    kind: 'a limit on file size',
    within: ['/bin/sh', '-c', `ulimit -S -f ${fileBlocks}; exec "$@"`, 'sh'],
    fill() {},
    makeRoom: () => false,
    copyDatabase: (to) => copyDatabase(folder, to),
    remove: () => Promise.resolve(),
  };
}

function copyDatabase(from: string, to: string): void {
  for (const suffix of ['', '-wal'])
    if (existsSync(join(from, `liminal.sqlite${suffix}`)))
      copyFileSync(join(from, `liminal.sqlite${suffix}`), `${to}${suffix}`);
}
