import { Project, SessionSummary, type ClusterView } from '@liminal/contracts';
import { sameValue } from '@liminal/domain/timeline/same-value';
import type { Membership } from '../membership/membership.ts';
import type { NodeBook } from '../membership/node-book.ts';
import { readJson } from '../redis/read-json.ts';
import type { StreamEntry, StreamReader } from '../redis/stream-reader.ts';
import type { DirectoryChange, SessionDirectory } from '../../bus/directory.ts';
import { createDirectoryListing, listedField } from './directory-listing.ts';

export type RedisDirectoryDeps = {
  readonly local: SessionDirectory;
  readonly membership: Membership;
  readonly nodes: NodeBook;
  readonly reader: StreamReader;
  /** This node's projects, to list for the others. */
  readonly ownProjects: () => readonly Project[];
  /** If another node owns a session of ours, that node lists it. */
  readonly isOurs: (sessionId: string) => boolean;
  readonly leaseMs: number;
  /** A machine lists something this version doesn't know. */
  readonly onUnreadable: (nodeId: string) => void;
  readonly onError: (error: unknown) => void;
};

export type RedisDirectory = SessionDirectory & {
  /** The node of a session on another machine. */
  nodeOf(sessionId: string): string | undefined;
  projects(): readonly Project[];
  projectNode(projectId: string): string | undefined;
  /** Call this when projects of this node may have changed. */
  projectsChanged(): void;
  /** Another node owns a session of ours now. Shows it there until that node lists it. */
  moved(sessionId: string, nodeId: string): void;
  /** Call this when the ownership of these sessions changed, to list them again. */
  refresh(sessionIds: readonly string[]): void;
  view(): ClusterView;
  isComplete(): boolean;
  /** Loads the lists of the other nodes and follows their news. The first step of a join. */
  loadOthers(): Promise<void>;
  /** Lists our sessions and projects for the others, once it is known which sessions are ours. */
  listOwn(): Promise<void>;
};

const placeOf = ({ name, dir, node }: Project): string => [node?.name, name, dir].join('\0');

/** A load that waits for its reply, with the news that arrives meanwhile over the other connection. */
type Load = { readonly nodeId: string; readonly news: (readonly [field: string, value: string])[] };
type Remote = { readonly sessions: Map<string, SessionSummary>; readonly projects: Map<string, Project> };

/** The sessions of every machine. Lists ours for the others and keeps theirs current from the news stream. */
export function createRedisDirectory(deps: RedisDirectoryDeps): RedisDirectory {
  const { local, membership, nodes, reader } = deps;
  const remotes = new Map<string, Remote>();
  /** The nodes that list a session, usually one. */
  const holders = new Map<string, Set<string>>();
  const listeners = new Set<(change: DirectoryChange) => void>();
  /** The last published summary of each session on another machine. */
  const announced = new Map<string, SessionSummary>();
  /** Our sessions that another node is taking over and doesn't list yet, as they were here. */
  const moving = new Map<string, { readonly nodeId: string; readonly summary: SessionSummary }>();
  const listing = createDirectoryListing(deps);
  let newsCount = 0;
  /** The other nodes, once they were loaded. */
  let others: readonly string[] | null = null;

  const notify = (change: DirectoryChange): void => {
    for (const listener of listeners) listener(change);
  };
  const nodeOf = (sessionId: string): string | undefined => {
    if (local.get(sessionId) && deps.isOurs(sessionId)) return undefined;
    const having = [...(holders.get(sessionId) ?? [])];
    // A node that is gone may still list a session that another has taken over.
    return having.find((nodeId) => nodes.presenceOf(nodeId) !== 'gone') ?? moving.get(sessionId)?.nodeId ?? having[0];
  };
  const remoteSummary = (sessionId: string): SessionSummary | undefined => {
    const nodeId = nodeOf(sessionId);
    if (nodeId === undefined) return undefined;
    const node = nodes.markOf(nodeId);
    const listed = remotes.get(nodeId)?.sessions.get(sessionId);
    const summary = listed ?? moving.get(sessionId)?.summary;
    if (!summary) return undefined;
    if (listed && node.presence !== 'gone') return { ...summary, node };
    // Its machine is gone or hasn't opened it yet, so nothing runs.
    return { ...summary, node, isAlive: false, activity: summary.status === 'dead' ? 'idle' : 'asleep' };
  };
  const here = (summary: SessionSummary): SessionSummary => ({ ...summary, node: nodes.markOf(membership.nodeId) });
  const get = (sessionId: string): SessionSummary | undefined => {
    const ours = deps.isOurs(sessionId) ? local.get(sessionId) : undefined;
    return ours ? here(ours) : remoteSummary(sessionId);
  };
  const remoteIds = (): string[] => [...new Set([...holders.keys(), ...moving.keys()])];
  const hold = (nodeId: string, sessionId: string, isListed: boolean): void => {
    const having = holders.get(sessionId) ?? new Set<string>();
    if (isListed) holders.set(sessionId, having.add(nodeId));
    else if (having.delete(nodeId) && having.size === 0) holders.delete(sessionId);
  };

  /** Notifies listeners of the given sessions that have changed. */
  const compare = (sessionIds: Iterable<string>, cluster?: ClusterView): void => {
    const sessions: SessionSummary[] = [];
    const removed: string[] = [];
    for (const sessionId of sessionIds) {
      const [before, after] = [announced.get(sessionId), remoteSummary(sessionId)];
      if (sameValue(before, after)) continue;
      if (after) announced.set(sessionId, after);
      else announced.delete(sessionId);
      const current = after ?? get(sessionId);
      if (current) sessions.push(current);
      else removed.push(sessionId);
    }
    if (sessions.length + removed.length > 0 || cluster) notify({ sessions, removed, ...(cluster ? { cluster } : {}) });
  };
  local.follow(({ sessions, removed }) => {
    for (const { sessionId } of sessions) {
      if (!deps.isOurs(sessionId)) continue;
      moving.delete(sessionId);
      listing.note(sessionId);
    }
    for (const sessionId of removed) listing.note(sessionId);
    const ours = sessions.filter(({ sessionId }) => deps.isOurs(sessionId)).map(here);
    const others = removed.flatMap((sessionId) => remoteSummary(sessionId) ?? []);
    const gone = removed.filter((sessionId) => !remoteSummary(sessionId));
    if (ours.length + others.length + gone.length > 0) notify({ sessions: [...ours, ...others], removed: gone });
  });
  membership.onChange(() => compare(remoteIds(), nodes.view()));

  const take = (nodeId: string, remote: Remote, field: string, value: string): void => {
    const [kind, id] = [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)];
    if (kind === 'session') {
      const summary = readJson(SessionSummary, value);
      if (!summary && value !== '') deps.onUnreadable(nodeId);
      if (summary) remote.sessions.set(id, summary);
      else remote.sessions.delete(id);
      hold(nodeId, id, summary !== undefined);
      if (moving.get(id)?.nodeId === nodeId) moving.delete(id);
    } else if (kind === 'project') {
      const project = readJson(Project, value);
      if (!project && value !== '') deps.onUnreadable(nodeId);
      if (project) remote.projects.set(id, project);
      else remote.projects.delete(id);
    }
  };
  const loads = new Set<Load>();
  const loadNode = async (nodeId: string): Promise<void> => {
    const load: Load = { nodeId, news: [] };
    loads.add(load);
    const asked = membership.run(['HGETALL', membership.keys.directory(nodeId)]).finally(() => loads.delete(load));
    const reply = (await asked) as readonly string[];
    // A node that is just returning hasn't listed anything yet. Keep its last known list until then.
    if (!reply.includes(listedField)) return;
    const before = [...(remotes.get(nodeId)?.sessions.keys() ?? [])];
    const remote: Remote = { sessions: new Map(), projects: new Map() };
    for (const sessionId of before) hold(nodeId, sessionId, false);
    for (let place = 0; place < reply.length; place += 2) {
      take(nodeId, remote, reply[place] ?? '', reply[place + 1] ?? '');
    }
    // The reply may be older than this news. If it's newer instead, the news that follows corrects this.
    for (const [field, value] of load.news) take(nodeId, remote, field, value);
    remotes.set(nodeId, remote);
    compare([...before, ...remote.sessions.keys()]);
  };
  const loadAll = async (): Promise<void> => {
    const found = await nodes.load();
    await Promise.all(found.map(loadNode));
    others = found;
    compare(remoteIds(), nodes.view());
    if (nodes.isMissingSome()) setTimeout(() => compare(remoteIds(), nodes.view()), deps.leaseMs).unref();
  };

  const hear = (entries: readonly StreamEntry[]): void => {
    const changed = new Set<string>();
    for (const { fields } of entries) {
      const { n: nodeId = '', k: field = '', d: value = '', c: count } = fields;
      const isNext = Number(count) === newsCount + 1;
      newsCount = Number(count);
      if (!isNext) return void loadAll().catch(deps.onError);
      if (nodeId === membership.nodeId) continue;
      for (const load of loads) if (load.nodeId === nodeId) load.news.push([field, value]);
      const remote = remotes.get(nodeId);
      if (!remote || field === '') {
        void nodes
          .load()
          .then(() => loadNode(nodeId))
          .then(() => compare([], nodes.view()))
          .catch(deps.onError);
        continue;
      }
      take(nodeId, remote, field, value);
      if (field.startsWith('session:')) changed.add(field.slice('session:'.length));
      else compare([], nodes.view());
    }
    compare(changed);
  };

  return {
    all: () => [
      ...local.all().flatMap((summary) => (deps.isOurs(summary.sessionId) ? [here(summary)] : [])),
      ...remoteIds().flatMap((sessionId) => remoteSummary(sessionId) ?? []),
    ],
    get,
    put: (summary) => local.put(summary),
    remove: (sessionId) => local.remove(sessionId),
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    nodeOf,
    projects: () =>
      [...remotes]
        .flatMap(([nodeId, { projects }]) =>
          [...projects.values()].map((project) => ({ ...project, node: nodes.markOf(nodeId) })),
        )
        // A stable order, so projects don't move in the user's list.
        .toSorted((a, b) => placeOf(a).localeCompare(placeOf(b))),
    projectNode: (projectId) => [...remotes].find(([, { projects }]) => projects.has(projectId))?.[0],
    projectsChanged: () => listing.noteProjects(),
    moved(sessionId, nodeId) {
      const summary = local.get(sessionId);
      if (!summary || remotes.get(nodeId)?.sessions.has(sessionId)) return;
      moving.set(sessionId, { nodeId, summary });
      compare([sessionId]);
    },
    refresh(sessionIds) {
      for (const sessionId of sessionIds) {
        listing.note(sessionId);
        const current = get(sessionId);
        if (current) notify({ sessions: [current], removed: [] });
      }
    },
    view: () => nodes.view(),
    isComplete: () => others?.every((nodeId) => remotes.has(nodeId)) ?? false,
    async loadOthers() {
      const newest = (await membership.run(['XREVRANGE', membership.keys.news, '+', '-', 'COUNT', '1'])) as readonly [
        string,
        readonly string[],
      ][];
      newsCount = Number((await membership.run(['GET', membership.keys.newsCount])) ?? 0);
      reader.watch(membership.keys.news, newest[0]?.[0] ?? '0-0', hear);
      await loadAll();
    },
    listOwn: () => listing.listAll(),
  };
}
