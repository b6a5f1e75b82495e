import { fail, ok, type Result, type SessionSummary } from '@liminal/contracts';
import type { RedisDirectory } from '../bus/redis/redis-directory.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { CliProvider } from '../providers/provider.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { NodeBook } from './node-book.ts';
import type { Ownership } from './ownership.ts';

export type TakeoverDeps = {
  readonly directory: RedisDirectory;
  readonly nodes: NodeBook;
  readonly ownership: Ownership;
  readonly projects: ProjectService;
  readonly registry: ProviderRegistry;
  readonly local: SessionService;
};

type Taken = { readonly sessionId: string; readonly cliType: string; readonly projectId: string };

/**
 * Goes on here, by a person's choice, with a session whose machine is gone. It needs the same folder here, and an agent
 * that finds its own record of the session here: over a shared home, or a store the agent shares between machines.
 */
export function createTakeover({ directory, nodes, ownership, projects, registry, local }: TakeoverDeps) {
  const recordHere = async (provider: CliProvider, summary: SessionSummary, dir: string): Promise<boolean> => {
    const found = (await provider.listSessions?.(dir).catch(() => [])) ?? [];
    return found.some(({ sessionId }) => sessionId === summary.sessionId);
  };

  return async (sessionId: string): Promise<Result<Taken>> => {
    const nodeId = directory.nodeOf(sessionId);
    const summary = directory.get(sessionId);
    if (!summary) return fail('SESSION_NOT_FOUND', 'There is no session with this id.');
    if (nodeId === undefined) return fail('NOT_SUPPORTED', 'This session is on this machine already.');
    const machine = nodes.nameOf(nodeId);
    if (nodes.presenceOf(nodeId) !== 'gone') {
      return fail('NOT_SUPPORTED', `${machine} is not gone: this session goes on there.`);
    }
    const there = directory.projects().find(({ projectId }) => projectId === summary.projectId);
    if (!there) return fail('PROJECT_NOT_FOUND', `The folder of this session on ${machine} is not known here.`);
    const provider = registry.all().find(({ cliType }) => cliType === summary.cliType);
    if (!provider) return fail('AGENT_NOT_INSTALLED', `This machine has no agent "${summary.cliType}".`);
    const added = await projects.add(there.dir);
    if (!added.ok) {
      return fail('PROJECT_DIR_INVALID', `The folder ${there.dir} of ${machine} does not exist on this machine.`);
    }
    const { project } = added.value;
    if (!(await recordHere(provider, summary, project.dir))) {
      const sentence = `${provider.name} keeps its record of this session on ${machine}, and does not find it here.`;
      return fail('NOT_SUPPORTED', `${sentence} Only an agent whose home both machines share can be taken over.`);
    }
    if (!(await ownership.take(sessionId))) {
      return fail('NOT_SUPPORTED', 'Another machine was faster, or the machine of this session is back.');
    }
    const loaded = await local.load(sessionId, { cliType: summary.cliType, projectId: project.projectId });
    if (!loaded.ok) {
      await ownership.giveBack(sessionId, nodeId);
      return loaded;
    }
    directory.refresh([sessionId]);
    return ok({ sessionId, cliType: summary.cliType, projectId: project.projectId });
  };
}
