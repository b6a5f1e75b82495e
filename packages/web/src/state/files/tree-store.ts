import type { ApiFailure, RouteCalls } from '@liminal/client/call-routes';
import type { TreeEntry } from '@liminal/contracts';
import { createCell } from '../base/cell.ts';

type Listed = { readonly entries: readonly TreeEntry[]; readonly truncated: boolean };
export type TreeState = {
  readonly folders: ReadonlyMap<string, Listed>;
  readonly expanded: ReadonlySet<string>;
  readonly showsIgnored: boolean;
  /** Why folders couldn't be read at the last attempt. Their earlier contents stay. */
  readonly failures: ReadonlyMap<string, ApiFailure>;
};
export type EntryRow = {
  readonly kind: 'entry';
  readonly key: string;
  readonly entry: TreeEntry;
  readonly depth: number;
  readonly isExpanded: boolean;
  /** It is expanded, but its contents haven't loaded yet. */
  readonly isReading: boolean;
};
/** Shown inside an expanded folder that couldn't be read. */
export type FailedRow = {
  readonly kind: 'failed';
  readonly key: string;
  readonly folder: string;
  readonly failure: ApiFailure;
  readonly depth: number;
};
export type TreeRow = EntryRow | FailedRow;
export type TreeStore = ReturnType<typeof createTreeStore>;

/** The expanded folders of a project, each loaded when it is first expanded. */
export function createTreeStore(
  api: Pick<RouteCalls['file'], 'tree'>,
  projectId: string,
  worktreeId: string | undefined,
) {
  const state = createCell<TreeState>({
    folders: new Map(),
    expanded: new Set(),
    showsIgnored: true,
    failures: new Map(),
  });

  let reads = 0;
  /** For each folder, the newest read that was answered. Answers to older reads are ignored. */
  const answered = new Map<string, number>();

  /** Reads folders and shows them all together, so a folder that is gone disappears with its contents. */
  async function read(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const turn = (reads += 1);
    const replies = await Promise.all(
      paths.map((path) => api.tree(projectId, { path, ...(worktreeId !== undefined && { worktreeId }) })),
    );
    state.update((held) => {
      const [folders, failures] = [new Map(held.folders), new Map(held.failures)];
      for (const [index, path] of paths.entries()) {
        const reply = replies[index];
        if (reply === undefined || turn < (answered.get(path) ?? 0)) continue;
        answered.set(path, turn);
        failures.delete(path);
        if (reply.ok) folders.set(path, reply.value);
        else failures.set(path, reply.failure);
        if (!reply.ok && reply.failure.code === 'FILE_NOT_FOUND') folders.delete(path);
      }
      return { ...held, folders, failures };
    });
  }

  return {
    state,
    /** Refreshes the expanded folders. */
    refresh: (): Promise<void> => read(['', ...state.get().expanded]),
    /** Retries a folder that couldn't be read. If it is gone, its parent no longer lists it. */
    async retry(path: string): Promise<void> {
      await read([path]);
      if (path !== '' && state.get().failures.get(path)?.code === 'FILE_NOT_FOUND') await read([folderOf(path), path]);
    },
    toggle(path: string): void {
      const isExpanded = state.get().expanded.has(path);
      state.update((held) => {
        const expanded = new Set(held.expanded);
        if (isExpanded) expanded.delete(path);
        else expanded.add(path);
        return { ...held, expanded };
      });
      if (!isExpanded) void read([path]);
    },
    /** Expands every folder on the path to a file. */
    async reveal(path: string): Promise<void> {
      const steps = path.split('/').slice(0, -1);
      const folders = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
      state.update((held) => ({ ...held, expanded: new Set([...held.expanded, ...folders]) }));
      await read(folders.filter((folder) => !state.get().folders.has(folder)));
    },
    showIgnored: (showsIgnored: boolean): void => state.update((held) => ({ ...held, showsIgnored })),
  };
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The rows of the tree from top to bottom. */
export function rowsOf({ folders, expanded, showsIgnored, failures }: TreeState): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (folder: string, depth: number): void => {
    const failure = failures.get(folder);
    // No path ends with two slashes.
    if (failure !== undefined) rows.push({ kind: 'failed', key: `${folder}//`, folder, failure, depth });
    for (const entry of folders.get(folder)?.entries ?? []) {
      if (!showsIgnored && entry.ignored === true) continue;
      const { path } = entry;
      const isExpanded = entry.kind === 'folder' && expanded.has(path);
      const isReading = isExpanded && !folders.has(path) && !failures.has(path);
      rows.push({ kind: 'entry', key: path, entry, depth, isExpanded, isReading });
      if (isExpanded) add(path, depth + 1);
    }
  };
  add('', 0);
  return rows;
}
