import { watch, type FSWatcher, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathIn, pathText } from '../path-text.ts';

export type FolderWatchesDeps = {
  readonly root: string;
  /** The folders below the root that contain files git sees, '' for the root. Null if they can't be listed. */
  readonly list: () => Promise<readonly string[] | null>;
  /** The folders that git doesn't ignore. */
  readonly withoutIgnored: (folders: readonly string[]) => Promise<readonly string[]>;
  readonly onEvent: () => void;
  /** Too many folders, or the system allows no more watches. */
  readonly onGivenUp: () => void;
  readonly mostFolders: number;
  /** Use one recursive watch, as macOS and Windows support. */
  readonly isRecursive: boolean;
};

type Watched = { readonly watcher: FSWatcher; readonly identity: string };
export type FolderWatches = ReturnType<typeof createFolderWatches>;

/**
 * One plain watch per folder. On Linux a recursive watch costs one watch per file: with a hundred thousand files,
 * nothing else runs for seconds.
 */
export function createFolderWatches(deps: FolderWatchesDeps) {
  const { root } = deps;
  const watches = new Map<string, Watched>();
  let arrived = new Set<string>();
  let sorting: Promise<void> | null = null;
  let isClosed = false;
  /** There may be folders to watch besides those in which something appeared. */
  let isIncomplete = false;

  const bytesOf = (folder: string): Buffer => (folder === '' ? Buffer.from(root) : pathIn(root, folder));
  const close = (): void => {
    isClosed = true;
    for (const { watcher } of watches.values()) watcher.close();
    watches.clear();
  };
  const giveUp = (): void => {
    if (isClosed) return;
    close();
    deps.onGivenUp();
  };

  const sort = (): Promise<void> => (sorting ??= sortOut().finally(() => (sorting = null)));
  const noteName = (folder: string, name: Buffer | null): void => {
    if (name === null || deps.isRecursive) return;
    const path = joined(folder, pathText(name));
    if (path === '.git') return;
    arrived.add(path);
    void sort();
  };
  const add = async (folder: string): Promise<boolean> => {
    if (isClosed || watches.has(folder)) return false;
    if (watches.size >= deps.mostFolders) {
      giveUp();
      return false;
    }
    const path = bytesOf(folder);
    const found = await lstat(path).catch(() => null);
    // Closed or added meanwhile.
    if (found === null || !found.isDirectory() || isClosed || watches.has(folder)) return false;
    try {
      const options = { encoding: 'buffer', persistent: false, recursive: deps.isRecursive } as const;
      const watcher = watch(path, options, (kind, name) => {
        if (deps.isRecursive && isGits(name)) return;
        deps.onEvent();
        if (kind === 'rename') noteName(folder, name);
        // Folders that were ignored may not be any more.
        if (isGitignore(name) && !deps.isRecursive) {
          isIncomplete = true;
          void sort();
        }
      });
      // Without a listener, an error would crash the server.
      watcher.on('error', giveUp);
      watches.set(folder, { watcher, identity: identityOf(found) });
      return true;
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone) giveUp();
      return false;
    }
  };
  const drop = (folder: string): void => {
    for (const [path, { watcher }] of watches) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watches.delete(path);
    }
  };

  /** Finds the folders inside that aren't watched. Returns how many entries of any kind there are. */
  const noteFoldersIn = async (folder: string): Promise<number> => {
    const inside = await readdir(bytesOf(folder), { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
    // Git sees a repository inside this one as a single entry.
    const isRepository = folder !== '' && inside.some(({ name }) => isDotGit(name));
    for (const entry of isRepository ? [] : inside) {
      const path = joined(folder, pathText(entry.name));
      if (entry.isDirectory() && !isDotGit(entry.name) && !watches.has(path)) arrived.add(path);
    }
    return inside.length;
  };
  /** The root is gone, or another folder has its name: nothing tells about changes in that one. */
  const isReplaced = async (): Promise<boolean> => {
    const found = await lstat(root).catch(() => null);
    return found === null || identityOf(found) !== watches.get('')?.identity;
  };

  /** Handles names that appeared or vanished: starts or stops watching the folders among them. */
  const sortOut = async (): Promise<void> => {
    // Process the names of one burst together, so git runs once for all of them.
    await new Promise((resolve) => setImmediate(resolve));
    while ((arrived.size > 0 || isIncomplete) && !isClosed) {
      if (await isReplaced()) return giveUp();
      if (isIncomplete) {
        isIncomplete = false;
        for (const folder of watches.keys()) await noteFoldersIn(folder);
      }
      const paths = [...arrived];
      arrived = new Set();
      const fresh: string[] = [];
      for (const path of paths) {
        const known = watches.get(path);
        const found = await lstat(bytesOf(path)).catch(() => null);
        const isSame = known !== undefined && found?.isDirectory() === true && identityOf(found) === known.identity;
        if (known && !isSame) drop(path);
        if (!isSame && found?.isDirectory()) fresh.push(path);
      }
      if (fresh.length === 0) continue;
      for (const folder of await deps.withoutIgnored(fresh)) {
        if (!(await add(folder))) continue;
        // Files written before the folder was watched caused no event.
        if ((await noteFoldersIn(folder)) > 0) deps.onEvent();
      }
    }
  };

  return {
    async start(): Promise<void> {
      if (deps.isRecursive) return void (await add(''));
      const folders = await deps.list();
      if (folders === null || folders.length > deps.mostFolders) return giveUp();
      for (const folder of folders) if (!isClosed) await add(folder);
      // Files may also appear in folders that hold none yet.
      isIncomplete = true;
      await sort();
    },
    count: (): number => watches.size,
    /** Whether all known changes have been processed. */
    isSettled: (): boolean => sorting === null && !isClosed,
    close,
  };
}

/** Every parent folder of these files. */
export function foldersOf(files: readonly string[]): string[] {
  const folders = new Set(['']);
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.' && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  return [...folders];
}

const joined = (folder: string, name: string): string => (folder === '' ? name : join(folder, name));
/** Systems use the inode of a deleted folder again. */
const identityOf = ({ ino, birthtimeMs }: Stats): string => `${ino} ${birthtimeMs}`;
const isDotGit = (name: Buffer): boolean => name.toString('latin1') === '.git';
const isGitignore = (name: Buffer | null): boolean => name?.toString('latin1') === '.gitignore';
const isGits = (name: Buffer | null): boolean => /^\.git([/\\]|$)/.test(name?.toString('latin1') ?? '');
