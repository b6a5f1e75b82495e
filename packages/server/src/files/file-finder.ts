import type { FileMatch, FilesReply } from '@liminal/contracts';
import { fuzzyFind, fuzzyIndex, type FuzzyIndex } from '@liminal/domain/fuzzy/fuzzy-find';
import type { FileList } from './list-files.ts';
import { isInFolder } from './is-in-folder.ts';

export type FileFinderDeps = {
  readonly list: (folder: string, trusted: boolean) => Promise<FileList>;
  readonly now?: () => number;
  /** An older index is rebuilt. Until then, the old one answers. */
  readonly staleMs?: number;
};

export type Folder = { readonly dir: string; readonly trusted: boolean };
export type FileFinder = { find(folder: Folder, query: string, limit: number): Promise<FilesReply> };

type Kept = { readonly index: FuzzyIndex; readonly list: FileList; readonly madeAt: number };

const mostKept = 6;
/** Extra candidates: some of the best matches may be gone or be links. */
const spare = 20;

/**
 * Completes paths on every keystroke. A folder's list is cached and rebuilt on request when it is old. Watching would
 * cost a handle per folder, all day long, for something used a few times an hour.
 */
export function createFileFinder({ list, now = () => performance.now(), staleMs = 3_000 }: FileFinderDeps): FileFinder {
  const kept = new Map<string, Kept>();
  const making = new Map<string, Promise<Kept>>();

  const make = ({ dir, trusted }: Folder): Promise<Kept> => {
    const key = keyOf({ dir, trusted });
    const begun = making.get(key);
    if (begun) return begun;
    const made = list(dir, trusted)
      .then((listed) => {
        const entry = { index: fuzzyIndex(listed.paths), list: listed, madeAt: now() };
        kept.delete(key);
        kept.set(key, entry);
        if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
        return entry;
      })
      .finally(() => making.delete(key));
    making.set(key, made);
    return made;
  };

  return {
    async find(folder, query, limit) {
      const known = kept.get(keyOf(folder));
      if (known && now() - known.madeAt >= staleMs) void make(folder).catch(() => {});
      const { index, list: listed } = known ?? (await make(folder));
      const found = fuzzyFind(index, query, limit + spare);
      const there = await Promise.all(found.map(({ path }) => isInFolder(folder.dir, path)));
      const files = found
        .filter((_, place) => there[place])
        .slice(0, limit)
        .map(asMatch);
      return { files, total: listed.files, truncated: listed.truncated };
    },
  };
}

/** Trust is part of the key: before a folder was trusted, its list was made without git. */
const keyOf = ({ dir, trusted }: Folder): string => `${trusted ? 'trusted' : 'untrusted'} ${dir}`;

const asMatch = ({ path, matches }: { readonly path: string; readonly matches: readonly number[] }): FileMatch =>
  path.endsWith('/')
    ? { path: path.slice(0, -1), kind: 'folder', matches: matches.filter((at) => at < path.length - 1) }
    : { path, kind: 'file', matches: [...matches] };
