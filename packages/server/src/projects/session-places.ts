import { ok, type Project, type Result, type SessionPlace } from '@liminal/contracts';
import type { SessionRow } from '../store/rows.ts';
import { headBranch } from './head-branch.ts';
import type { MissingProject, ProjectService } from './project-service.ts';

type Placed = Pick<SessionRow, 'projectId' | 'place'>;
export type SessionPlaces = ReturnType<typeof createSessionPlaces>;

/** Where sessions work. Code that touches a session's files must ask here, not its project. */
export function createSessionPlaces({ projects }: { readonly projects: Pick<ProjectService, 'get'> }) {
  /** The last known branch of each folder. */
  const branches = new Map<string, string | null>();

  const readBranch = async (folder: string): Promise<void> => {
    branches.set(folder, await headBranch(folder));
  };
  const folderOf = ({ projectId, place }: Placed): string | null => {
    if (place) return place.folder;
    const project = projects.get(projectId);
    return project.ok ? project.value.dir : null;
  };
  const placeOf = (row: Placed): SessionPlace | null => {
    const folder = folderOf(row);
    if (folder === null) return null;
    const { kind, branch, worktreeId } = row.place ?? { kind: 'folder' as const, branch: null, worktreeId: undefined };
    const known = branches.get(folder);
    return { kind, folder, branch: known === undefined ? branch : known, ...(worktreeId && { worktreeId }) };
  };

  return {
    of: placeOf,
    /** The same, with the current branch. */
    async read(row: Placed): Promise<SessionPlace | null> {
      const folder = folderOf(row);
      if (folder !== null) await readBranch(folder);
      return placeOf(row);
    },
    /** The sessions of a list with their current branches. Reads each folder once. */
    async withBranches<T extends { readonly place?: SessionPlace | undefined }>(listed: readonly T[]): Promise<T[]> {
      const folders = new Set(listed.flatMap(({ place }) => (place ? [place.folder] : [])));
      await Promise.all([...folders].map(readBranch));
      return listed.map((session) =>
        session.place
          ? { ...session, place: { ...session.place, branch: branches.get(session.place.folder) ?? null } }
          : session,
      );
    },
    /** The session's project with the session's own folder. Trust is the project's, even for a worktree. */
    project(row: Placed): Result<Project, MissingProject> {
      const project = projects.get(row.projectId);
      return project.ok && row.place ? ok({ ...project.value, dir: row.place.folder }) : project;
    },
  };
}
