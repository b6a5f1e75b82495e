import type { Project } from '@liminal/contracts';
import type { Membership } from '../membership/membership.ts';
import { listScript } from '../redis/node-scripts.ts';
import type { SessionDirectory } from '../../bus/directory.ts';

export type DirectoryListingDeps = {
  readonly local: SessionDirectory;
  readonly membership: Membership;
  readonly ownProjects: () => readonly Project[];
  readonly isOurs: (sessionId: string) => boolean;
  readonly onError: (error: unknown) => void;
};

/** This field exists once a node has listed everything. */
export const listedField = 'listed';
const mostNews = 10_000;
const batch = 200;
/** Up to this many fields are listed in one step, so others see no partial list. The rest follows in batches. */
const wholeBatch = 5_000;
const retryMs = 1_000;

/** Lists this node's sessions and projects for the others: only the newest state of each, one write at a time. */
export function createDirectoryListing({ local, membership, ownProjects, isOurs, onError }: DirectoryListingDeps) {
  const { keys, nodeId } = membership;
  const dirty = new Set<string>();
  let listedProjects: ReadonlyMap<string, string> = new Map();
  let isWriting = false;

  const valueOf = (field: string): string => {
    if (field === listedField) return membership.incarnation();
    if (field.startsWith('project:')) return projectsNow().get(field) ?? '';
    const sessionId = field.slice('session:'.length);
    const summary = isOurs(sessionId) ? local.get(sessionId) : undefined;
    return summary ? JSON.stringify(summary) : '';
  };
  const projectsNow = () =>
    new Map(ownProjects().map((project) => [`project:${project.projectId}`, JSON.stringify(project)]));

  const write = async (mode: 'all' | 'some', fields: readonly string[]): Promise<void> => {
    const values = fields.flatMap((field) => [field, valueOf(field)]);
    const used = [keys.leases, keys.incarnations, keys.directory(nodeId), keys.news, keys.newsCount];
    const args = [nodeId, membership.incarnation(), mode, mostNews, ...values];
    const [verdict] = (await membership.script(listScript, used, args)) as readonly string[];
    if (verdict === 'LAPSED') membership.lapse();
  };

  const flush = async (): Promise<void> => {
    if (isWriting || !membership.isJoined()) return;
    isWriting = true;
    try {
      while (dirty.size > 0 && membership.isJoined()) {
        const fields = [...dirty].slice(0, batch);
        for (const field of fields) dirty.delete(field);
        await write('some', fields).catch((error: unknown) => {
          for (const field of fields) dirty.add(field);
          throw error;
        });
      }
    } catch (error) {
      // While disconnected, nothing is lost: the next join lists everything again.
      if (membership.isJoined()) onError(error);
      setTimeout(() => void flush(), retryMs).unref();
    } finally {
      isWriting = false;
    }
  };
  membership.onChange(() => void flush());
  const noteProjects = (): void => {
    const now = projectsNow();
    for (const field of new Set([...now.keys(), ...listedProjects.keys()])) {
      if (now.get(field) !== listedProjects.get(field)) dirty.add(field);
    }
    listedProjects = now;
    void flush();
  };

  return {
    note(sessionId: string): void {
      dirty.add(`session:${sessionId}`);
      const { projectId } = local.get(sessionId) ?? {};
      // The first session of a folder brings its project with it.
      if (projectId !== undefined && !listedProjects.has(`project:${projectId}`)) noteProjects();
      else void flush();
    },
    noteProjects,
    /** Lists everything at once and replaces this node's earlier list. */
    async listAll(): Promise<void> {
      listedProjects = projectsNow();
      const sessions = local.all().map(({ sessionId }) => `session:${sessionId}`);
      const fields = [listedField, ...listedProjects.keys(), ...sessions];
      dirty.clear();
      await write('all', fields.slice(0, wholeBatch));
      for (let start = wholeBatch; start < fields.length; start += batch) {
        await write('some', fields.slice(start, start + batch));
      }
    },
  };
}
