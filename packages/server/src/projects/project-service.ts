import { basename } from 'node:path';
import { fail, ok, type Project, type Result } from '@liminal/contracts';
import type { ProjectRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { checkFolder } from './check-folder.ts';

export type ProjectService = ReturnType<typeof createProjectService>;

/** It isn't in the list, or its folder is on another machine. */
export type MissingProject = 'PROJECT_NOT_FOUND' | 'NOT_SUPPORTED';

type Added = { readonly project: Project; readonly isNew: boolean };

export type ProjectServiceDeps = {
  readonly store: Store;
  readonly now: () => string;
  readonly newId: () => string;
};

/** The user's project folders. Removing one changes nothing on disk and keeps its sessions, but revokes its trust. */
export function createProjectService({ store, now, newId }: ProjectServiceDeps) {
  const rows = new Map(store.projects().map((row) => [row.projectId, row]));
  let changing: Promise<unknown> = Promise.resolve();
  /** Changes run one after another, so each starts from the row that the one before it wrote. */
  const inOrder = <T>(change: () => Promise<T>): Promise<T> => {
    const changed = changing.then(change);
    changing = changed.catch(() => {});
    return changed;
  };

  const put = async (row: ProjectRow): Promise<Project> => {
    await store.write([{ type: 'put-project', row }]);
    rows.set(row.projectId, row);
    return projectOf(row);
  };
  const find = (projectId: string): Result<ProjectRow, 'PROJECT_NOT_FOUND'> => {
    const row = rows.get(projectId);
    return row && !row.removed ? ok(row) : fail('PROJECT_NOT_FOUND', 'No such project. Add its folder first.');
  };

  const addFolder = async (dir: string): Promise<Added> => {
    const known = [...rows.values()].find((row) => row.dir === dir);
    if (known && !known.removed) return { project: projectOf(known), isNew: false };
    const fresh = { projectId: newId(), dir, name: basename(dir) || dir, trusted: false };
    return { project: await put({ ...(known ?? fresh), trusted: false, addedAt: now(), removed: false }), isNew: true };
  };

  return {
    list: (): Project[] => [...rows.values()].filter((row) => !row.removed).map(projectOf),
    get(projectId: string): Result<Project, MissingProject> {
      const found = find(projectId);
      return found.ok ? ok(projectOf(found.value)) : found;
    },
    /** Adding the same folder again returns the same project, even for concurrent calls. */
    async add(dir: string): Promise<Result<Added, 'PROJECT_DIR_INVALID'>> {
      const folder = await checkFolder(dir);
      if (!folder.ok) return folder;
      return ok(await inOrder(() => addFolder(folder.value)));
    },
    remove: (projectId: string): Promise<Result<null, MissingProject>> =>
      inOrder(async () => {
        const found = find(projectId);
        if (!found.ok) return found;
        await put({ ...found.value, trusted: false, removed: true });
        return ok(null);
      }),
    trust: (projectId: string, trusted: boolean): Promise<Result<Project, MissingProject>> =>
      inOrder(async () => {
        const found = find(projectId);
        return found.ok ? ok(await put({ ...found.value, trusted })) : found;
      }),
  };
}

const projectOf = ({ projectId, dir, name, trusted }: ProjectRow): Project => ({ projectId, dir, name, trusted });
