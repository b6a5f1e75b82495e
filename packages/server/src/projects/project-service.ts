import { basename } from 'node:path';
import { fail, ok, type Project, type Result } from '@liminal/contracts';
import type { ProjectRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { checkFolder } from './check-folder.ts';

export type ProjectService = ReturnType<typeof createProjectService>;

export type ProjectServiceDeps = {
  readonly store: Store;
  readonly now: () => string;
  readonly newId: () => string;
};

/** The folders a person works in. Removing one touches nothing on disk and forgets no session. */
export function createProjectService({ store, now, newId }: ProjectServiceDeps) {
  const rows = new Map(store.projects().map((row) => [row.projectId, row]));

  const put = async (row: ProjectRow): Promise<Project> => {
    await store.write([{ type: 'put-project', row }]);
    rows.set(row.projectId, row);
    return projectOf(row);
  };
  const find = (projectId: string): Result<ProjectRow, 'PROJECT_NOT_FOUND'> => {
    const row = rows.get(projectId);
    return row && !row.removed ? ok(row) : fail('PROJECT_NOT_FOUND', 'There is no such project. Add its folder first.');
  };

  return {
    list: (): Project[] => [...rows.values()].filter((row) => !row.removed).map(projectOf),
    get(projectId: string): Result<Project, 'PROJECT_NOT_FOUND'> {
      const found = find(projectId);
      return found.ok ? ok(projectOf(found.value)) : found;
    },
    /** The same folder again is the same project. */
    async add(dir: string): Promise<Result<{ project: Project; isNew: boolean }, 'PROJECT_DIR_INVALID'>> {
      const folder = await checkFolder(dir);
      if (!folder.ok) return folder;
      const known = [...rows.values()].find((row) => row.dir === folder.value);
      if (known && !known.removed) return ok({ project: projectOf(known), isNew: false });
      const fresh = {
        projectId: newId(),
        dir: folder.value,
        name: basename(folder.value) || folder.value,
        trusted: false,
      };
      const row = { ...(known ?? fresh), addedAt: now(), removed: false };
      return ok({ project: await put(row), isNew: true });
    },
    async remove(projectId: string): Promise<Result<null, 'PROJECT_NOT_FOUND'>> {
      const found = find(projectId);
      if (!found.ok) return found;
      await put({ ...found.value, removed: true });
      return ok(null);
    },
    async trust(projectId: string, trusted: boolean): Promise<Result<Project, 'PROJECT_NOT_FOUND'>> {
      const found = find(projectId);
      return found.ok ? ok(await put({ ...found.value, trusted })) : found;
    },
  };
}

const projectOf = ({ projectId, dir, name, trusted }: ProjectRow): Project => ({ projectId, dir, name, trusted });
