import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { asCount, asRecord, asText } from '../../kit/read-json.ts';
import { AgentRefused } from '../connection/failures.ts';
import { canWalk, OutsideFolder, openBelow, type OpenOptions } from '../../../projects/open-below.ts';
import { writeAll } from '../../../projects/write-all.ts';
import { readLines } from './read-lines.ts';

/** File access for agents that use files through us: inside the project folder, and nowhere else. */
export type ProjectFiles = {
  /** `fs/read_text_file` */
  read(params: unknown): Promise<{ content: string }>;
  /** `fs/write_text_file`; creates the file and its parent folders. */
  write(params: unknown): Promise<object>;
};

const largestFile = 16 * 1024 * 1024;
const invalidParams = -32602;
const resourceNotFound = -32002;

/**
 * `root` must be a real path: symlinks are resolved before anything is compared with it. `walks`: whether a path can
 * start at an open folder.
 */
export function createProjectFiles(root: string, walks = canWalk): ProjectFiles {
  const openFile = walks ? openWalking : openChecked;
  return {
    async read(params) {
      const { path, line, limit } = readParams(params);
      const file = await openFile(root, path, { flags: constants.O_RDONLY, makesFolders: false });
      try {
        const { size } = await plainFile(file, path);
        if (size > largestFile) throw refused(`${path} is larger than ${largestFile} bytes`);
        return { content: await readLines(file, Math.max(0, (line ?? 1) - 1), limit) };
      } finally {
        await file.close();
      }
    },
    async write(params) {
      const { path, content } = readParams(params);
      if (content === undefined) throw refused('The content is missing');
      // Opened without truncating: its location must be verified first.
      const file = await openFile(root, path, { flags: constants.O_WRONLY | constants.O_CREAT, makesFolders: true });
      try {
        const { size } = await plainFile(file, path);
        await replaceContent(file, size, Buffer.from(content));
        return {};
      } finally {
        await file.close();
      }
    },
  };
}

/** Opens a file of the project and nothing else, even if folders on its path are replaced meanwhile. */
async function openWalking(root: string, path: string, options: OpenOptions): Promise<FileHandle> {
  const file = await openBelow(root, absolute(path), options).catch((error: unknown) => {
    throw error instanceof OutsideFolder ? refused(`${path} is outside the project folder`) : asRefusal(error, path);
  });
  return checked(root, file, path);
}

/** For systems where a path can't start at an open folder: opens the real path, then checks it. */
async function openChecked(root: string, path: string, { flags, makesFolders }: OpenOptions): Promise<FileHandle> {
  const real = makesFolders ? await realTarget(root, path) : await realPathOf(root, path);
  return openInside(root, real, flags);
}

/** A real path inside the root; throws the error for the agent. Missing files are -32002. */
export async function realPathOf(root: string, path: string): Promise<string> {
  const real = await realpath(absolute(path)).catch((error: unknown) => {
    throw asRefusal(error, path);
  });
  return inside(root, real, path);
}

/** Where a file is or would be, with all parent folders created; symlinks are resolved at each step. */
async function realTarget(root: string, path: string): Promise<string> {
  const target = absolute(path);
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (isThere) return realPathOf(root, target);
  const folder = await realFolder(root, dirname(target), path);
  return join(folder, basename(target));
}

async function realFolder(root: string, folder: string, path: string): Promise<string> {
  const real = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && dirname(folder) !== folder) return undefined;
    throw asRefusal(error, path);
  });
  if (real !== undefined) return inside(root, real, path);
  const made = join(await realFolder(root, dirname(folder), path), basename(folder));
  await mkdir(made).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw asRefusal(error, path);
  });
  return inside(root, await realpath(made), path);
}

/**
 * Opens without following a link in the last component, then checks the location: a parent folder may have been
 * replaced meanwhile.
 */
async function openInside(root: string, real: string, flags: number): Promise<FileHandle> {
  // Non-blocking, because opening a pipe without a writer would wait.
  const extra = constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(real, flags | extra, 0o666).catch((error: unknown) => {
    throw asRefusal(error, real);
  });
  return checked(root, file, real);
}

/** Returns the open file if it is inside the root; otherwise closes it and throws. */
async function checked(root: string, file: FileHandle, path: string): Promise<FileHandle> {
  try {
    inside(root, await placeOf(file, path), path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Linux names the file of a descriptor; elsewhere the path is resolved again and must lead to the same file. */
async function placeOf(file: FileHandle, path: string): Promise<string> {
  const named = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (named !== undefined) return named;
  const again = await realpath(path);
  const [there, opened] = [await stat(again), await file.stat()];
  if (there.dev !== opened.dev || there.ino !== opened.ino) throw refused(`${path} changed while it was opened`);
  return again;
}

function inside(root: string, real: string, asked: string): string {
  const way = relative(root, real);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw refused(`${asked} is outside the project folder`);
  }
  return real;
}

async function plainFile(file: FileHandle, path: string): Promise<{ readonly size: number }> {
  const found = await file.stat();
  if (!found.isFile()) throw refused(`${path} is not a file`);
  return found;
}

/** The part beyond the old end comes first: a full disk then fails before anything is overwritten. */
async function replaceContent(file: FileHandle, oldSize: number, bytes: Buffer): Promise<void> {
  await writeAll(file, bytes, oldSize).catch(async (error: unknown) => {
    await file.truncate(oldSize);
    throw error;
  });
  await writeAll(file, bytes.subarray(0, oldSize), 0);
  await file.truncate(bytes.length);
}

function absolute(path: string): string {
  if (!isAbsolute(path) || path.includes('\0')) throw refused(`"${path}" is not an absolute path`);
  return resolve(path);
}

function readParams(params: unknown): {
  path: string;
  content: string | undefined;
  line: number | undefined;
  limit: number | undefined;
} {
  const raw = asRecord(params);
  return {
    path: asText(raw['path']) ?? '',
    content: asText(raw['content']),
    line: asCount(raw['line']),
    limit: asCount(raw['limit']),
  };
}

const refused = (message: string): AgentRefused => new AgentRefused(invalidParams, message);

function asRefusal(error: unknown, path: string): unknown {
  if (error instanceof AgentRefused) return error;
  const { code } = error as NodeJS.ErrnoException;
  // Agents distinguish a new file from a failure by this code.
  if (code === 'ENOENT' || code === 'ENOTDIR') return new AgentRefused(resourceNotFound, `Resource not found: ${path}`);
  if (code === 'ELOOP') return refused(`${path} is a link that can't be followed`);
  return refused(`${path} can't be opened (${code ?? 'unknown error'})`);
}
