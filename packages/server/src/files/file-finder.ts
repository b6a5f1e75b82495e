import type { FileMatch, FilesReply } from '@liminal/contracts';
import { fuzzyFind, fuzzyIndex, type FuzzyIndex } from '@liminal/domain/fuzzy/fuzzy-find';
import type { FileList } from './list-files.ts';
import { isInFolder } from './is-in-folder.ts';

export type FileFinderDeps = {
  readonly list: (folder: string, trusted: boolean) => Promise<FileList>;
  readonly now?: () => number;
  /** An index older than this is made again; until the new one is there the old one answers. */
  readonly staleMs?: number;
};

export type Folder = { readonly dir: string; readonly trusted: boolean };
export type FileFinder = { find(folder: Folder, query: string, limit: number): Promise<FilesReply> };

type Kept = { readonly index: FuzzyIndex; readonly list: FileList; readonly madeAt: number };

const mostKept = 6;
/** Some of the best fits may be gone or turn out to be links. */
const spare = 20;

/**
 * Completes paths at every key. The list of a folder is kept and made again when it is asked for and old: watching
 * would cost one handle per folder of the project, all day long, for something that is asked a few times an hour.
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

/** What was found before a folder was trusted is not what is found after. */
const keyOf = ({ dir, trusted }: Folder): string => `${trusted ? 'trusted' : 'untrusted'} ${dir}`;

const asMatch = ({ path, matches }: { readonly path: string; readonly matches: readonly number[] }): FileMatch =>
  path.endsWith('/')
    ? { path: path.slice(0, -1), kind: 'folder', matches: matches.filter((at) => at < path.length - 1) }
    : { path, kind: 'file', matches: [...matches] };
