import { fail, type Project } from '@liminal/contracts';
import type { RedisDirectory } from './bus/redis-directory.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { NodeBook } from './membership/node-book.ts';

export type ClusterProjectsDeps = {
  readonly local: ProjectService;
  readonly directory: RedisDirectory;
  readonly nodes: NodeBook;
  readonly nodeId: string;
};

/**
 * The projects of all machines. Those of another machine are listed and can be used, but only its own page can change
 * them.
 */
export function createClusterProjects({ local, directory, nodes, nodeId }: ClusterProjectsDeps): ProjectService {
  const elsewhere = (projectId: string) => {
    const owner = directory.projectNode(projectId);
    if (owner === undefined) return null;
    const { name, address: url } = nodes.nodeOf(owner);
    return fail('NOT_SUPPORTED', `This folder is on ${name}. Do this on the page of that machine: ${url}`, { url });
  };
  const changed = async <T>(done: Promise<T>): Promise<T> => {
    const result = await done;
    directory.projectsChanged();
    return result;
  };
  const here = (project: Project): Project => ({ ...project, node: nodes.markOf(nodeId) });
  return {
    list: () => [...local.list().map(here), ...directory.projects()],
    get: (projectId) => elsewhere(projectId) ?? local.get(projectId),
    add: (dir) => changed(local.add(dir)),
    remove: async (projectId) => elsewhere(projectId) ?? changed(local.remove(projectId)),
    trust: async (projectId, trusted) => elsewhere(projectId) ?? changed(local.trust(projectId, trusted)),
  };
}
