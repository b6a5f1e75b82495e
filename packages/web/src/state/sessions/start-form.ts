import type { ProviderSummary, Project } from '@liminal/contracts';
import { createCell, type Cell } from '../base/cell.ts';
import type { TabsStore } from '../layout/tabs-store.ts';
import { machineTrouble } from '../workbench/describe-machine.ts';
import { agentsInOrder, newestFirst, type Directory } from '../workbench/directory-store.ts';
import type { DraftStore } from './draft-store.ts';
import { isNewSession, type NewSessions } from './new-sessions.ts';
import type { OutgoingStore, SendOptions } from './outgoing-store.ts';

export type StartForm = {
  /** The session that is about to be started; null without a project and an agent. */
  readonly current: Cell<string | null>;
  /** Makes sure there is one, in the given project if any. An existing draft stays. */
  readonly open: (projectId?: string) => void;
  /** Shows it in a tab and sends its first message; without one, the tab waits for it. */
  readonly start: (content: string, options: SendOptions) => void;
};

export type StartFormDeps = {
  readonly newSessions: NewSessions;
  readonly drafts: DraftStore;
  readonly outgoing: Pick<OutgoingStore, 'send'>;
  readonly tabs: TabsStore;
  readonly directory: () => Directory;
  readonly show: (sessionId: string) => void;
};

/** Whether an agent may start in an untrusted folder. */
export const mayStart = ({ capabilities }: ProviderSummary, { trusted }: Project): boolean =>
  trusted || capabilities.untrustedFolders;

/** Only in a trusted repository on this machine. */
export const hasWorktrees = ({ branch, trusted, node }: Project): boolean =>
  trusted && branch !== undefined && node === undefined;

/** The form for new sessions, shared by all places that show it. */
export function createStartForm(deps: StartFormDeps): StartForm {
  const { newSessions, drafts, tabs } = deps;
  const current = createCell<string | null>(null);

  const placeAsUsual = (id: string, project: Project | undefined): void => {
    if (project?.defaultPlace === 'worktree' && hasWorktrees(project)) newSessions.place(id, { kind: 'worktree' });
  };

  return {
    current,
    open(projectId) {
      const directory = deps.directory();
      const held = newSessions.get().get(current.get() ?? '');
      const isListed = (id: string | undefined): id is string =>
        directory.projects.some((project) => project.projectId === id);
      const target = [projectId, held?.projectId, likelyProject(directory)].find(isListed);
      const agent = target === undefined ? undefined : agentsInOrder(directory, target).find((each) => each.available);
      if (target === undefined || agent === undefined) return;
      const project = directory.projects.find((each) => each.projectId === target);
      if (held === undefined) {
        const id = newSessions.open({ projectId: target, cliType: agent.cliType });
        // A draft stays in the place that was chosen for it.
        if (newSessions.isUnused(id)) placeAsUsual(id, project);
        current.set(id);
      }
      // An agent chosen for the draft stays; otherwise each folder has its usual one.
      else if (held.projectId !== target) {
        newSessions.move(held.id, {
          projectId: target,
          cliType: newSessions.isUnused(held.id) ? agent.cliType : held.cliType,
        });
        placeAsUsual(held.id, project);
      }
    },
    start(content, options) {
      const id = current.get();
      if (id === null) return;
      drafts.write(id, '');
      drafts.keepImages(id, []);
      // An unused one in a tab is no longer needed.
      const unused = tabs.all().find((open) => isNewSession(open) && newSessions.isUnused(open));
      const projectOf = (each: string): string | undefined => newSessions.get().get(each)?.projectId;
      if (unused !== undefined && projectOf(unused) === projectOf(id)) tabs.rename(unused, id);
      else if (unused !== undefined) tabs.close(unused);
      deps.show(id);
      current.set(null);
      if (content !== '' || (options.images?.length ?? 0) > 0) deps.outgoing.send(id, content, options);
    },
  };
}

/** The last used project that is reachable. */
function likelyProject({ projects, sessions }: Directory): string | undefined {
  const reachable = projects.filter(({ node }) => machineTrouble(node) === '').map(({ projectId }) => projectId);
  const latest = [...sessions.values()].sort(newestFirst).find(({ projectId }) => reachable.includes(projectId));
  return latest?.projectId ?? reachable[0];
}
