import type { Keys } from '../../ui/keys.ts';
import { isNewSession } from '../sessions/new-sessions.ts';
import { attentionOf } from '@liminal/domain/session/attention';
import { exportActions, importAction } from './file-actions.ts';
import { messageActions } from './message-actions.ts';
import { projectActions } from './project-actions.ts';
import { tabActions } from './tab-actions.ts';
import { terminalActions } from './terminal-actions.ts';
import { viewActions } from './view-actions.ts';
import type { Workbench } from './workbench.ts';

/** A global action: by key, in the palette, and in the list of shortcuts. */
export type Action = {
  readonly id: string;
  readonly title: string;
  readonly group: 'Sessions' | 'Tabs' | 'This session' | 'Page';
  readonly keys?: Keys;
  /** Whether it is available now; the palette leaves out the others. */
  readonly isPossible: boolean;
  readonly run: () => void;
};

/** The parts of the page that can take the focus; the page knows where they are. */
export type FocusTargets = {
  readonly focusComposer: () => void;
  /** The active pane's composer, editor or terminal. */
  readonly focusPane: () => void;
  readonly focusPermission: () => void;
  /** Whether the page has phone width, where the sidebar covers it. */
  readonly isNarrow: () => boolean;
};

/** The key that moves to the permission request. */
export const permissionKeys: Keys = { code: 'KeyP', label: 'P', alt: true };

/** The next session that needs the user, after the active one, in the order of the list. */
function nextWaiting(workbench: Workbench): string | null {
  const { sessions } = workbench.directory.get();
  const ids = [...sessions.keys()];
  const from = ids.indexOf(workbench.activeSession() ?? '') + 1;
  const needsPerson = (id: string): boolean => {
    const session = sessions.get(id);
    return session !== undefined && !session.archived && attentionOf(session).kind === 'needs-you';
  };
  return [...ids.slice(from), ...ids.slice(0, from)].find(needsPerson) ?? null;
}

/** All actions available from the keyboard now. */
export function actionsOf(workbench: Workbench, focus: FocusTargets): readonly Action[] {
  const { directory, panels, sidebar, tabs } = workbench;
  const active = workbench.activeSession();
  const shown = active === null ? undefined : directory.get().sessions.get(active);
  const place = shown ?? workbench.newSessions.origin(active ?? '');
  const chosen = place?.projectId ?? workbench.activeProject() ?? undefined;
  const projectId = chosen ?? directory.get().projects[0]?.projectId;
  const waiting = nextWaiting(workbench);
  const onActive = (task: (sessionId: string) => void) => (): void => {
    if (active !== null) task(active);
  };
  const showList = (isShown: boolean): void => {
    if (focus.isNarrow()) panels.drawer.set(isShown);
    else sidebar.update((layout) => ({ ...layout, hidden: !isShown }));
  };
  const alt = (code: string, label: string): Keys => ({ code, label, alt: true });
  const mod = (code: string, label: string): Keys => ({ code, label, mod: true });
  const isOpen = active !== null;
  /** Actions on the conversation also work from its review, files and terminals. */
  const inConversation = (task: () => void) => (): void => {
    if (active === null || tabs.get().active === active) return task();
    tabs.show(active);
    requestAnimationFrame(task);
  };

  const actions: readonly Action[] = [
    {
      id: 'new-session',
      title: 'New session',
      group: 'Sessions',
      keys: alt('KeyN', 'N'),
      isPossible: projectId !== undefined,
      // On the first screen, the form knows best where the user works.
      run: () => panels.open({ name: 'new-session', ...(chosen !== undefined && { projectId: chosen }) }),
    },
    {
      id: 'next-waiting',
      title: 'Next session that needs you',
      group: 'Sessions',
      keys: alt('KeyW', 'W'),
      isPossible: waiting !== null,
      run: () => waiting !== null && tabs.show(waiting),
    },
    {
      id: 'inbox',
      title: 'Inbox',
      group: 'Sessions',
      keys: alt('KeyI', 'I'),
      isPossible: true,
      run: () => {
        panels.drawer.set(false);
        panels.inbox.update((isShown) => !isShown);
      },
    },
    {
      id: 'search',
      title: 'Search all sessions',
      group: 'Sessions',
      keys: { code: 'KeyF', label: 'F', mod: true, shift: true },
      isPossible: true,
      run: () => panels.open({ name: 'palette', mode: 'search' }),
    },
    {
      id: 'discover',
      title: 'Import terminal sessions',
      group: 'Sessions',
      isPossible: projectId !== undefined,
      run: () => projectId !== undefined && panels.open({ name: 'discover', projectId }),
    },
    {
      id: 'worktrees',
      title: 'Worktrees',
      group: 'Sessions',
      isPossible: projectId !== undefined,
      run: () => projectId !== undefined && panels.open({ name: 'worktrees', projectId }),
    },
    {
      id: 'comparisons',
      title: 'Agent comparisons',
      group: 'Sessions',
      isPossible: projectId !== undefined,
      run: () => projectId !== undefined && panels.open({ name: 'comparisons', projectId }),
    },
    {
      id: 'project-settings',
      title: 'Project settings',
      group: 'Sessions',
      isPossible: projectId !== undefined,
      run: () => projectId !== undefined && panels.open({ name: 'project-settings', projectId }),
    },
    importAction(workbench, projectId),
    {
      id: 'add-project',
      title: 'Add project',
      group: 'Sessions',
      isPossible: true,
      run: () => panels.open({ name: 'add-project' }),
    },
    ...tabActions(workbench, focus),
    {
      id: 'composer',
      title: 'Write a message',
      group: 'This session',
      keys: alt('KeyC', 'C'),
      isPossible: isOpen,
      run: inConversation(focus.focusComposer),
    },
    {
      id: 'permission',
      title: 'Go to permission request',
      group: 'This session',
      keys: permissionKeys,
      isPossible: shown?.activity === 'waiting',
      run: inConversation(focus.focusPermission),
    },
    ...messageActions(workbench, active),
    {
      id: 'start',
      title: 'Go to first message',
      group: 'This session',
      isPossible: isOpen,
      run: onActive((id) => {
        const store = workbench.session(id);
        if (store !== undefined) void workbench.goToStart(store);
      }),
    },
    ...viewActions(workbench, active),
    {
      id: 'inspector',
      title: 'Session details: changes, plan, tasks, usage, decisions',
      group: 'This session',
      keys: mod('KeyI', 'I'),
      isPossible: isOpen && !isNewSession(active),
      run: () => panels.inspector.update((isShown) => !isShown),
    },
    {
      id: 'rename',
      title: 'Rename session',
      group: 'This session',
      isPossible: shown !== undefined,
      run: onActive((sessionId) => panels.open({ name: 'rename', sessionId })),
    },
    ...exportActions(workbench, shown?.sessionId),
    {
      id: 'archive',
      title: 'Archive session',
      group: 'This session',
      isPossible: shown !== undefined,
      run: onActive((id) => void workbench.archive(id, true)),
    },
    {
      id: 'delete',
      title: 'Delete session',
      group: 'This session',
      isPossible: shown !== undefined,
      run: onActive((sessionId) => panels.open({ name: 'delete-session', sessionId })),
    },

    {
      id: 'palette',
      title: 'Search sessions and actions',
      group: 'Page',
      keys: mod('KeyK', 'K'),
      isPossible: true,
      run: () => panels.open({ name: 'palette', mode: 'all' }),
    },
    {
      id: 'sidebar',
      title: 'Show or hide sidebar',
      group: 'Page',
      keys: mod('KeyB', 'B'),
      isPossible: true,
      run: () => showList(focus.isNarrow() ? !panels.drawer.get() : sidebar.get().hidden),
    },
    ...terminalActions(workbench, focus),
    { id: 'home', title: 'Home', group: 'Page', isPossible: isOpen, run: tabs.leave },
    {
      id: 'settings',
      title: 'Settings',
      group: 'Page',
      keys: mod('Comma', ','),
      isPossible: true,
      run: () => panels.open({ name: 'settings' }),
    },
    {
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      group: 'Page',
      keys: { code: '', label: '?', writes: '?' },
      isPossible: true,
      run: () => panels.open({ name: 'shortcuts' }),
    },
    ...projectActions(workbench),
  ];
  // Behind the inbox or a comparison, they would act on a session that isn't visible.
  const isOutOfSight = ({ group }: Action): boolean => group === 'This session' && workbench.areTabsCovered();
  return actions.map((action) => (isOutOfSight(action) ? { ...action, isPossible: false } : action));
}
