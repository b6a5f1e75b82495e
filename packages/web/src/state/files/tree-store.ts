import type { ApiFailure, RouteCalls } from '@liminal/client/call-routes';
import type { TreeEntry } from '@liminal/contracts';
import { createCell } from '../base/cell.ts';

type Listed = { readonly entries: readonly TreeEntry[]; readonly truncated: boolean };
export type TreeState = {
  readonly folders: ReadonlyMap<string, Listed>;
  readonly expanded: ReadonlySet<string>;
  readonly showsIgnored: boolean;
  readonly failure: ApiFailure | null;
};
export type TreeRow = { readonly entry: TreeEntry; readonly depth: number; readonly isExpanded: boolean };
export type TreeStore = ReturnType<typeof createTreeStore>;

/** The expanded folders of a project, each loaded when it is first expanded. */
export function createTreeStore(
  api: Pick<RouteCalls['file'], 'tree'>,
  projectId: string,
  worktreeId: string | undefined,
) {
  const state = createCell<TreeState>({ folders: new Map(), expanded: new Set(), showsIgnored: true, failure: null });

  async function load(path: string): Promise<void> {
    const listed = await api.tree(projectId, { path, ...(worktreeId !== undefined && { worktreeId }) });
    state.update((held) => {
      if (listed.ok) return { ...held, failure: null, folders: new Map([...held.folders, [path, listed.value]]) };
      const folders = new Map([...held.folders].filter(([folder]) => folder !== path));
      // A folder that is gone disappears with the next reload; only the project's own needs an error.
      return path === '' ? { ...held, folders, failure: listed.failure } : { ...held, folders };
    });
  }

  return {
    state,
    load,
    /** Reloads the visible folders. */
    refresh: async (): Promise<void> => {
      const { expanded } = state.get();
      await Promise.all(['', ...expanded].map(load));
    },
    toggle(path: string): void {
      const isExpanded = state.get().expanded.has(path);
      state.update((held) => {
        const expanded = new Set(held.expanded);
        if (isExpanded) expanded.delete(path);
        else expanded.add(path);
        return { ...held, expanded };
      });
      if (!isExpanded) void load(path);
    },
    /** Expands every folder on the path to a file. */
    async reveal(path: string): Promise<void> {
      const steps = path.split('/').slice(0, -1);
      const folders = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
      state.update((held) => ({ ...held, expanded: new Set([...held.expanded, ...folders]) }));
      await Promise.all(folders.filter((folder) => !state.get().folders.has(folder)).map(load));
    },
    showIgnored: (showsIgnored: boolean): void => state.update((held) => ({ ...held, showsIgnored })),
  };
}

/** The rows of the tree, from top to bottom. */
export function rowsOf({ folders, expanded, showsIgnored }: TreeState): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (folder: string, depth: number): void => {
    for (const entry of folders.get(folder)?.entries ?? []) {
      if (!showsIgnored && entry.ignored === true) continue;
      const isExpanded = entry.kind === 'folder' && expanded.has(entry.path);
      rows.push({ entry, depth, isExpanded });
      if (isExpanded) add(entry.path, depth + 1);
    }
  };
  add('', 0);
  return rows;
}
