import { fail, ok, type Project, type Result, type SessionSummary } from '@liminal/contracts';
import { lookAtSession } from '../bus/read-session.ts';
import type { RedisDirectory } from '../bus/redis-directory.ts';
import { checkFolder } from '../../projects/check-folder.ts';
import type { ProjectService } from '../../projects/project-service.ts';
import type { CliProvider } from '../../providers/provider.ts';
import type { ProviderRegistry } from '../../providers/registry.ts';
import { attempt } from '../../sessions/service/attempt.ts';
import { placesBehind } from '../../sessions/history/merge-replay.ts';
import type { SessionService } from '../../sessions/service/session-service.ts';
import type { Store } from '../../store/store.ts';
import { cutOffTurns } from './cut-off-turns.ts';
import type { Membership } from '../membership/membership.ts';
import type { NodeBook } from '../membership/node-book.ts';
import type { Ownership } from '../membership/ownership.ts';
import type { UnfinishedTakeovers } from './unfinished-takeovers.ts';

export type TakeoverDeps = {
  readonly directory: RedisDirectory;
  readonly nodes: NodeBook;
  readonly ownership: Ownership;
  readonly projects: ProjectService;
  readonly registry: ProviderRegistry;
  readonly local: SessionService;
  readonly membership: Pick<Membership, 'keys' | 'script'>;
  readonly store: Store;
  readonly unfinished: UnfinishedTakeovers;
  readonly historyBytes: number;
  readonly now: () => string;
};

/** At most two turns run at once: one of the user, and one the agent started by itself. */
const newestTurns = 2;

type Taken = { readonly sessionId: string; readonly cliType: string; readonly projectId: string };
/** A session whose machine is gone, and its folder there. */
type Orphan = { readonly summary: SessionSummary; readonly nodeId: string; readonly machine: string; there: Project };

/**
 * Continues a session whose machine is gone, when the user asks for it. This needs the same folder here, and an agent
 * that finds its own record of the session, through a shared home folder or shared storage. Nothing changes until both
 * are confirmed.
 */
export function createTakeover(deps: TakeoverDeps) {
  const { directory, nodes, ownership, projects, registry, local, store } = deps;
  const findOrphan = (sessionId: string): Result<Orphan> => {
    const nodeId = directory.nodeOf(sessionId);
    const summary = directory.get(sessionId);
    if (!summary) return fail('SESSION_NOT_FOUND', 'No session has this id.');
    if (nodeId === undefined) return fail('NOT_SUPPORTED', 'This session is already on this machine.');
    const machine = nodes.nameOf(nodeId);
    const presence = nodes.presenceOf(nodeId);
    if (presence === 'unseen') {
      return fail(
        'NODE_UNREACHABLE',
        `${machine} can't be reached right now and may still be working on this session.`,
      );
    }
    if (presence !== 'gone')
      return fail('NOT_SUPPORTED', `${machine} is still running, and this session continues there.`);
    // Its machine may have died before it listed what it took from this one.
    const known = [...directory.projects(), ...projects.list()];
    const there = known.find(({ projectId }) => projectId === summary.projectId);
    if (!there) return fail('PROJECT_NOT_FOUND', `This session's folder on ${machine} isn't known here.`);
    return ok({ summary, nodeId, machine, there });
  };

  /** Whether the agent here can continue the session in this folder. */
  const canGoOn = async (
    provider: CliProvider | undefined,
    { summary, machine }: Orphan,
    dir: string,
  ): Promise<Result<null>> => {
    if (!provider) return fail('AGENT_NOT_INSTALLED', `This machine has no agent "${summary.cliType}".`);
    const { name } = provider;
    const availability = await provider.availability();
    if (!availability.available) {
      return fail('AGENT_NOT_INSTALLED', `${name} can't start on this machine. ${availability.reason}`);
    }
    const found = (await provider.listSessions?.(dir)) ?? [];
    if (found.some(({ sessionId }) => sessionId === summary.sessionId)) return ok(null);
    // Some agents report their capabilities only after the first call, which was made above.
    const { load, discover } = provider.capabilities;
    if (!load) {
      const sentence = `${name} can't reopen a session it has closed.`;
      return fail('NOT_SUPPORTED', `${sentence} Only ${machine} can continue it. Start a new session instead.`);
    }
    if (!discover) {
      const sentence = `${name} can't list the sessions it has kept, so this one can't be found here.`;
      return fail('NOT_SUPPORTED', `${sentence} It continues when ${machine} is back. Or start a new session.`);
    }
    const sentence = `${name} keeps its record of this session on ${machine} and can't find it here.`;
    return fail(
      'NOT_SUPPORTED',
      `${sentence} To take over sessions, both machines must share the agent's home folder.`,
    );
  };

  const openHere = async ({ sessionId, cliType }: SessionSummary, dir: string): Promise<Result<Taken>> => {
    const added = await projects.add(dir);
    if (!added.ok) return added;
    const { projectId } = added.value.project;
    const loaded = await local.load(sessionId, { cliType, projectId });
    return loaded.ok ? ok({ sessionId, cliType, projectId }) : loaded;
  };

  /** Saves the published part of an unfinished turn before anything replaces it. */
  const keepCutOff = async ({ summary: { sessionId }, machine }: Orphan): Promise<void> => {
    const request = { turns: newestTurns, bytes: deps.historyBytes, recent: 0 };
    const found = await lookAtSession(deps.membership, sessionId, request);
    if (!found) return;
    const { entries } = found.history;
    // For turns that ran here, our own record is better.
    const turns = found.history.turns.filter(({ turnId }) => store.turn(sessionId, turnId) === undefined);
    const places = placesBehind(store, sessionId);
    await store.write(cutOffTurns({ sessionId, history: { turns, entries }, places, machine, at: deps.now() }));
  };

  const takeFrom = async (orphan: Orphan, dir: string): Promise<Result<Taken>> => {
    const { summary } = orphan;
    const { sessionId, title } = summary;
    const isTaken = await ownership.take(sessionId).catch(() => null);
    if (isTaken === null)
      return fail('NODE_UNREACHABLE', "Couldn't reach the other machines. Nothing was changed. Try again.");
    if (!isTaken) return fail('NOT_SUPPORTED', 'Another machine took it over first, or its own machine is back.');
    const opened = await attempt(async () => {
      await keepCutOff(orphan);
      return openHere(summary, dir);
    });
    if (!opened.ok) return opened;
    directory.refresh([sessionId]);
    // The agent's own record may have another title than the user gave it.
    if (title !== '' && directory.get(sessionId)?.title !== title) await local.patch(sessionId, { title });
    return opened;
  };

  const takeOver = (sessionId: string): Promise<Result<Taken>> =>
    attempt(async () => {
      const orphan = findOrphan(sessionId);
      if (!orphan.ok) return orphan;
      const { summary, machine, there } = orphan.value;
      const folder = await checkFolder(there.dir);
      if (!folder.ok) {
        const sentence = `This session works in a folder on ${machine} that doesn't exist on this machine.`;
        return fail('PROJECT_DIR_INVALID', `${sentence} ${folder.failure.message}`);
      }
      const provider = registry.all().find(({ cliType }) => cliType === summary.cliType);
      const able = await canGoOn(provider, orphan.value, folder.value);
      if (!able.ok) return able;
      const { nodeId } = orphan.value;
      const take = () => takeFrom(orphan.value, folder.value);
      return deps.unfinished.record(sessionId, nodeId, take, ({ ok: isTaken }) => isTaken);
    });
  const running = new Map<string, Promise<Result<Taken>>>();
  /** One at a time: if a second one failed, it would give back what the first one took. */
  return (sessionId: string): Promise<Result<Taken>> => {
    const taken = running.get(sessionId) ?? takeOver(sessionId).finally(() => running.delete(sessionId));
    running.set(sessionId, taken);
    return taken;
  };
}
