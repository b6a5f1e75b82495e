import {
  fail,
  ok,
  type CreateSessionBody,
  type HistoryPage,
  type PrepareSessionBody,
  type Result,
} from '@liminal/contracts';
import { attentionOf } from '@liminal/domain/session/attention';
import type { RedisDirectory } from './bus/redis-directory.ts';
import { lookAtSession, pageOf } from './bus/read-session.ts';
import { listed } from '../sessions/service/session-reading.ts';
import type { SessionService } from '../sessions/service/session-service.ts';
import type { CommandCalls } from './commands/command-calls.ts';
import { ownedNames, type CommandName, type OwnedName } from './commands/commands.ts';
import type { Membership } from './membership/membership.ts';

export type ClusterSessionsDeps = {
  readonly local: SessionService;
  readonly directory: RedisDirectory;
  readonly calls: CommandCalls;
  readonly membership: Membership;
  readonly historyBytes: number;
};

type Call = (sessionId: string, ...args: readonly unknown[]) => Promise<Result<unknown>>;

const pageTurns = 100;
const unpublished = fail(
  'NODE_UNREACHABLE',
  "This part of the session hasn't been published to the other machines yet. Try again.",
);

/** The session service of a cluster. Forwards calls for another machine's session to its owner, or reads from Redis. */
export function createClusterSessions(deps: ClusterSessionsDeps): SessionService {
  const { local, directory, calls, membership } = deps;

  const ask = (nodeId: string, name: CommandName, ...args: readonly unknown[]) =>
    // The arguments match the local method. The owner validates them against the contract.
    (calls.call as (to: string, named: CommandName, ...given: readonly unknown[]) => Promise<Result<unknown>>)(
      nodeId,
      name,
      ...args,
    );
  const routed = <Name extends OwnedName>(name: Name): SessionService[Name] => {
    const here = local[name] as Call;
    const call: Call = (sessionId, ...args) => {
      const nodeId = directory.nodeOf(sessionId);
      return nodeId === undefined ? here(sessionId, ...args) : ask(nodeId, name, sessionId, ...args);
    };
    return call as SessionService[Name];
  };
  const look = async (sessionId: string, before: string | undefined, turns: number, bytes: number) => {
    try {
      const request = { ...(before === undefined ? {} : { before }), turns, bytes, recent: 0 };
      const found = await lookAtSession(membership, sessionId, request);
      if (found === null) return fail('TURN_NOT_FOUND', 'No turn has the id given in "before".');
      return found ? ok(found) : unpublished;
    } catch (error) {
      return fail('NODE_UNREACHABLE', `This session can't be read right now. ${membership.explain(error)}`);
    }
  };

  const owned = Object.fromEntries(ownedNames.map((name) => [name, routed(name)])) as Pick<SessionService, OwnedName>;

  // Doesn't spread `local`, so a new method fails to compile until it is a route or listed here.
  return {
    ...owned,
    trustChanged: (projectId) => local.trustChanged(projectId),
    prepare(body: PrepareSessionBody) {
      const nodeId = directory.projectNode(body.projectId);
      if (nodeId === undefined) return local.prepare(body);
      return ask(nodeId, 'prepare', body) as ReturnType<SessionService['prepare']>;
    },
    importSession: local.importSession,
    create(body: CreateSessionBody) {
      const nodeId = body.projectId === undefined ? undefined : directory.projectNode(body.projectId);
      if (nodeId === undefined) return local.create(body);
      return ask(nodeId, 'create', body) as ReturnType<SessionService['create']>;
    },
    async discover(query) {
      const nodeId = query.projectId === undefined ? undefined : directory.projectNode(query.projectId);
      if (nodeId !== undefined) return ask(nodeId, 'discover', query) as ReturnType<SessionService['discover']>;
      const found = await local.discover(query);
      // Sessions that another machine with the same home folder has open are already in the list.
      return found.ok
        ? ok({ sessions: found.value.sessions.filter(({ sessionId }) => !directory.get(sessionId)) })
        : found;
    },
    async list(query) {
      const { projectId, scope } = query;
      if (projectId === undefined || directory.projectNode(projectId) === undefined) return local.list(query);
      const all = directory.all().filter((summary) => summary.projectId === projectId);
      const wanted = scope === 'active' ? all.filter(({ status, archived }) => status !== 'dead' && !archived) : all;
      return ok({ sessions: listed(wanted) });
    },
    async status(sessionId) {
      const summary = directory.nodeOf(sessionId) === undefined ? undefined : directory.get(sessionId);
      if (!summary) return local.status(sessionId);
      const { cliType, status: state, activity, isAlive, lastError } = summary;
      const attention = attentionOf(summary).kind;
      const { place } = summary;
      const rest = { ...(lastError && { lastError }), attention, ...(place && { place }) };
      return ok({ sessionId, cliType, state, activity, isAlive, ...rest });
    },
    async queue(sessionId) {
      if (directory.nodeOf(sessionId) === undefined) return local.queue(sessionId);
      const found = await look(sessionId, undefined, 1, 0);
      return found.ok ? ok({ queue: found.value.history.queue }) : found;
    },
    async history(sessionId, page): Promise<Result<HistoryPage>> {
      if (directory.nodeOf(sessionId) === undefined) return local.history(sessionId, page);
      const bytes = page.limit === undefined ? deps.historyBytes : Number.MAX_SAFE_INTEGER;
      const found = await look(sessionId, page.before, page.limit ?? pageTurns, bytes);
      if (!found.ok) return found;
      const { hasMore, turns } = found.value.history;
      // Without a turn to go on from, a page would look like the beginning of the session.
      return hasMore && turns.length === 0 ? unpublished : ok(pageOf(found.value));
    },
  };
}
