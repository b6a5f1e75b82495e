import type { DirectoryChanged, Project, ProviderSummary, SessionSummary } from '@liminal/contracts';
import type { Api, ApiFailure } from '../connection/api.ts';
import { createCell, type Cell } from './cell.ts';

export type Directory = {
  readonly projects: readonly Project[];
  readonly providers: readonly ProviderSummary[];
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  /** `false` until the server told what there is: an empty list before that means nothing. */
  readonly loaded: boolean;
  readonly failure: ApiFailure | null;
};

export type DirectoryStore = Cell<Directory> & {
  readonly refresh: () => Promise<void>;
  readonly changed: (message: DirectoryChanged) => void;
  readonly addProject: (dir: string) => Promise<ApiFailure | null>;
};

type DirectoryApi = Pick<Api, 'projects' | 'providers' | 'addProject'>;
/** Tells what a session was before; `undefined` when it is new here. */
type OnSession = (before: SessionSummary | undefined, after: SessionSummary) => void;

/** Projects, agents and every session's summary; the socket keeps the sessions current. */
export function createDirectoryStore(api: DirectoryApi, onSession: OnSession = () => {}): DirectoryStore {
  const cell = createCell<Directory>({
    projects: [],
    providers: [],
    sessions: new Map(),
    loaded: false,
    failure: null,
  });

  const refresh = async (): Promise<void> => {
    const [projects, providers] = await Promise.all([api.projects(), api.providers()]);
    cell.update((directory) => ({
      ...directory,
      projects: projects.ok ? projects.value.projects : directory.projects,
      providers: providers.ok ? providers.value.providers : directory.providers,
      loaded: directory.loaded || projects.ok,
      failure: projects.ok ? null : projects.failure,
    }));
  };

  return {
    ...cell,
    refresh,
    changed(message) {
      const held = cell.get();
      const sessions = new Map(held.sessions);
      for (const session of message.sessions) {
        onSession(sessions.get(session.sessionId), session);
        sessions.set(session.sessionId, session);
      }
      for (const sessionId of message.removed ?? []) sessions.delete(sessionId);
      cell.set({ ...held, sessions });
      // A session in a folder this page does not know yet: it was added elsewhere.
      const known = new Set(held.projects.map((project) => project.projectId));
      if (held.loaded && message.sessions.some((session) => !known.has(session.projectId))) void refresh();
    },
    async addProject(dir) {
      const reply = await api.addProject(dir);
      if (!reply.ok) return reply.failure;
      const added = reply.value;
      cell.update((directory) => ({
        ...directory,
        projects: [...directory.projects.filter((project) => project.projectId !== added.projectId), added],
      }));
      return null;
    },
  };
}

/** The sessions of one project, newest first. */
export function sessionsOf(directory: Directory, projectId: string): SessionSummary[] {
  return [...directory.sessions.values()]
    .filter((session) => session.projectId === projectId && !session.archived)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
}
