import type { Keys } from '../../ui/keys.ts';
import { readTab } from '../layout/tab-id.ts';
import type { Action, FocusTargets } from './actions.ts';
import type { Workbench } from './workbench.ts';

/** Toggles the terminal, even from within it. */
export const terminalKeys: Keys = { code: 'Backquote', label: '`', mod: true };

/** Terminals in the active session's folder, and its project's saved commands. */
export function terminalActions(workbench: Workbench, focus: FocusTargets): readonly Action[] {
  const { activeProject, activeSession, areTabsCovered, directory, newSessions, tabs, terminals } = workbench;
  const { projects, sessions } = directory.get();
  const active = activeSession() ?? '';
  const shown = readTab((areTabsCovered() ? null : tabs.get().active) ?? '');
  const session = sessions.get(active);
  const place = session ?? newSessions.origin(active);
  const projectId = place?.projectId ?? activeProject() ?? projects[0]?.projectId;
  const worktreeId = session?.place?.worktreeId;
  const commands = projects.find((project) => project.projectId === projectId)?.commands ?? [];
  return [
    {
      id: 'terminal',
      title: 'Show or hide terminal',
      group: 'Page',
      keys: terminalKeys,
      isPossible: projectId !== undefined || terminals.isShown.get(),
      run: () => {
        terminals.toggle(projectId, worktreeId);
        // The hidden terminal took the focus with it.
        if (!terminals.isShown.get()) requestAnimationFrame(focus.focusComposer);
      },
    },
    {
      id: 'new-terminal',
      title: 'New terminal',
      group: 'Page',
      isPossible: projectId !== undefined,
      run: () => projectId !== undefined && void terminals.open(projectId, { worktreeId }),
    },
    {
      id: 'new-terminal-tab',
      title: 'New terminal in a tab',
      group: 'Page',
      isPossible: projectId !== undefined,
      run: () => projectId !== undefined && void terminals.open(projectId, { worktreeId }, 'tab'),
    },
    {
      id: 'move-terminal',
      title: shown.kind === 'terminal' ? 'Move terminal to the panel' : 'Move terminal to a tab',
      group: 'Page',
      isPossible: shown.kind === 'terminal' || (terminals.isShown.get() && terminals.panel().shown !== undefined),
      run: () => {
        const inPanel = terminals.panel().shown;
        if (shown.kind === 'terminal') terminals.toPanel(shown.terminalId);
        else if (inPanel !== undefined) terminals.toTab(inPanel.terminalId);
      },
    },
    ...commands.map((command): Action => ({
      id: `run-${command.name}`,
      title: `Run ${command.name}`,
      group: 'Page',
      isPossible: projectId !== undefined,
      run: () => projectId !== undefined && void terminals.run(projectId, command),
    })),
  ];
}
