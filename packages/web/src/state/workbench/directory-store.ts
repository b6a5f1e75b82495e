import type { ClusterView, DirectoryChanged, Project, ProviderSummary, SessionSummary } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import type { ApiFailure } from '@liminal/client/call-routes';
import { createCell, type Cell } from '../base/cell.ts';
import { showHidden } from '@liminal/domain/text/visible-text';

export type Directory = {
  readonly projects: readonly Project[];
  readonly providers: readonly ProviderSummary[];
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  /** The cluster; null without one. */
  readonly cluster: ClusterView | null;
  /** `false` until the server has sent the list: an empty list before that means nothing. */
  readonly loaded: boolean;
  readonly failure: ApiFailure | null;
};

export type DirectoryStore = Cell<Directory> & {
  /** Where a session works; empty while unknown. */
  readonly folderOf: (sessionId: string) => string;
  readonly refresh: () => Promise<void>;
  /** The page is connected, so it gets the whole list again. */
  readonly connected: () => void;
  /** Reloads only the projects, with their current branches. */
  readonly refreshProjects: () => Promise<void>;
  /** Returns the sessions that are gone. */
  readonly changed: (message: DirectoryChanged) => ReadonlySet<string>;
  /** Shows a session in a state that the server will confirm. */
  readonly show: (session: SessionSummary) => void;
  readonly addProject: (dir: string) => Promise<ApiFailure | null>;
  /** Removes the project from the list; nothing on disk changes. */
  readonly removeProject: (projectId: string) => Promise<ApiFailure | null>;
  readonly trustProject: (projectId: string, trusted: boolean) => Promise<ApiFailure | null>;
};

/** Where a session works: in its worktree, or in the project's folder. */
export function folderIn({ sessions, projects }: Directory, sessionId: string, projectId?: string): string {
  const session = sessions.get(sessionId);
  const of = session?.projectId ?? projectId;
  return session?.place?.folder ?? projects.find((each) => each.projectId === of)?.dir ?? '';
}

type DirectoryApi = {
  readonly project: Pick<Api['project'], 'list' | 'add' | 'remove' | 'trust'>;
  readonly workbench: Pick<Api['workbench'], 'providers'>;
};
type ChangeProjects = (projects: readonly Project[]) => readonly Project[];
/** Gets the previous summary of a session; `undefined` if it is new here. */
type OnSession = (before: SessionSummary | undefined, after: SessionSummary) => void;

/** Projects, agents and the summaries of all sessions; the socket keeps the sessions current. */
export function createDirectoryStore(api: DirectoryApi, onSession: OnSession = () => {}): DirectoryStore {
  const cell = createCell<Directory>({
    projects: [],
    providers: [],
    sessions: new Map(),
    cluster: null,
    loaded: false,
    failure: null,
  });
  /** Projects that were already requested: a removed one stays unknown however often its sessions change. */
  const asked = new Set<string>();
  /** The sessions received since the page was connected. */
  let listed = new Set<string>();

  /** Replies may overtake each other: an older list of projects must not replace a newer one. */
  let [lastAsked, newest] = [0, 0];
  /** The user's changes, with the last list requested before each was confirmed: up to that one, lists may lack it. */
  let own: ReadonlyArray<{ readonly asked: number; readonly change: ChangeProjects }> = [];
  /** Null if it isn't the newest. */
  const received = (request: number, list: readonly Project[]): readonly Project[] | null => {
    if (request < newest) return null;
    newest = request;
    own = own.filter(({ asked }) => request <= asked);
    return own.reduce<readonly Project[]>((projects, { change }) => change(projects), list.map(withReadableName));
  };
  const changeProjects = (change: ChangeProjects): void => {
    own = [...own, { asked: lastAsked, change }];
    cell.update((held) => ({ ...held, projects: change(held.projects) }));
  };

  const refresh = async (): Promise<void> => {
    const request = (lastAsked += 1);
    const [projects, providers] = await Promise.all([api.project.list(), api.workbench.providers()]);
    const current = projects.ok ? received(request, projects.value.projects) : null;
    cell.update((directory) => ({
      ...directory,
      projects: current ?? directory.projects,
      providers: providers.ok ? providers.value.providers : directory.providers,
      loaded: directory.loaded || projects.ok,
      failure: projects.ok ? null : projects.failure,
    }));
  };

  return {
    ...cell,
    folderOf: (sessionId) => folderIn(cell.get(), sessionId),
    refresh,
    connected() {
      listed = new Set();
      void refresh();
    },
    async refreshProjects() {
      const request = (lastAsked += 1);
      const reply = await api.project.list();
      const projects = reply.ok ? received(request, reply.value.projects) : null;
      if (projects !== null) cell.update((held) => ({ ...held, projects }));
    },
    show: (session) =>
      cell.update((held) => ({ ...held, sessions: new Map(held.sessions).set(session.sessionId, session) })),
    changed(message) {
      const held = cell.get();
      const sessions = new Map(held.sessions);
      for (const session of message.sessions) {
        sessions.set(session.sessionId, session);
        listed.add(session.sessionId);
      }
      // Nobody reported those that were deleted while the page was disconnected.
      const unlisted = message.complete ? [...sessions.keys()].filter((sessionId) => !listed.has(sessionId)) : [];
      const gone = new Set([...(message.removed ?? []), ...unlisted]);
      for (const sessionId of gone) sessions.delete(sessionId);
      cell.set({ ...held, sessions, cluster: message.cluster ?? held.cluster });
      for (const session of message.sessions) onSession(held.sessions.get(session.sessionId), session);
      // The machines have changed, so their projects may have, too.
      if (message.cluster && held.loaded) void refresh();
      // A session in an unknown project, which was added elsewhere.
      const known = new Set(held.projects.map((project) => project.projectId));
      const unknown = message.sessions.filter(({ projectId }) => !known.has(projectId) && !asked.has(projectId));
      for (const { projectId } of held.loaded ? unknown : []) asked.add(projectId);
      if (held.loaded && unknown.length > 0) void refresh();
      return gone;
    },
    async addProject(dir) {
      const reply = await api.project.add({ dir });
      if (!reply.ok) return reply.failure;
      const added = withReadableName(reply.value);
      changeProjects((projects) => [...projects.filter((project) => project.projectId !== added.projectId), added]);
      return null;
    },
    async removeProject(projectId) {
      const reply = await api.project.remove(projectId);
      if (!reply.ok) return reply.failure;
      asked.add(projectId);
      changeProjects((projects) => projects.filter((project) => project.projectId !== projectId));
      return null;
    },
    async trustProject(projectId, trusted) {
      const reply = await api.project.trust(projectId, { trusted });
      if (!reply.ok) return reply.failure;
      changeProjects((projects) =>
        projects.map((project) => (project.projectId === projectId ? { ...project, trusted } : project)),
      );
      return null;
    },
  };
}

/** A folder name may contain anything. It is only ever displayed, so it is made safe once, here. */
const withReadableName = (project: Project): Project => ({ ...project, name: showHidden(project.name) });

/** The sessions of one project, newest first; archived ones separately. */
export function sessionsOf(directory: Directory, projectId: string, archived = false): SessionSummary[] {
  return [...directory.sessions.values()]
    .filter((session) => session.projectId === projectId && session.archived === archived)
    .sort(newestFirst);
}

export const newestFirst = (a: SessionSummary, b: SessionSummary): number =>
  a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0;

/** Agents in a useful order: the one last used here first, then the one last used anywhere. */
export function agentsInOrder(directory: Directory, projectId: string): ProviderSummary[] {
  const rank = new Map<string, number>();
  const all = [...directory.sessions.values()].sort(newestFirst);
  for (const { cliType } of [...all.filter((session) => session.projectId === projectId), ...all]) {
    if (!rank.has(cliType)) rank.set(cliType, rank.size);
  }
  const rankOf = ({ available, cliType }: ProviderSummary): number =>
    (available ? 0 : 1000) + (rank.get(cliType) ?? 500);
  return directory.providers.toSorted((a, b) => rankOf(a) - rankOf(b));
}
