import { isNewSession } from '../sessions/new-sessions.ts';
import { readTab } from '../layout/tab-id.ts';
import type { Action } from './actions.ts';
import type { Workbench } from './workbench.ts';

/** Other views of a session besides its conversation: its changes, and its files. */
export function viewActions(workbench: Workbench, active: string | null): readonly Action[] {
  const { directory, fileViews, panels, reviews, tabs } = workbench;
  const session = directory.get().sessions.get(active ?? '');
  const worktreeId = session?.place?.worktreeId;
  const isPossible = active !== null && !isNewSession(active);
  const shown = readTab(tabs.get().active ?? '').kind;
  return [
    {
      id: 'review',
      title: shown === 'review' ? 'Back to conversation' : 'Review changes',
      group: 'This session',
      keys: { code: 'KeyR', label: 'R', alt: true },
      isPossible,
      run: () => reviews.toggle(active ?? ''),
    },
    {
      id: 'files',
      title: shown === 'file' ? 'Back to conversation' : 'Files in this folder',
      group: 'This session',
      keys: { code: 'KeyE', label: 'E', alt: true },
      isPossible,
      run: () => fileViews.toggle(active ?? ''),
    },
    {
      id: 'bring-back',
      title: 'Merge or publish worktree',
      group: 'This session',
      keys: { code: 'KeyM', label: 'M', alt: true },
      isPossible: worktreeId !== undefined,
      run: () => {
        if (session === undefined || worktreeId === undefined) return;
        panels.open({ name: 'bring-back', projectId: session.projectId, worktreeId });
      },
    },
    {
      id: 'park',
      title: 'Park worktree',
      group: 'This session',
      isPossible: worktreeId !== undefined,
      run: () => {
        if (session === undefined || worktreeId === undefined) return;
        panels.open({ name: 'park', projectId: session.projectId, worktreeId });
      },
    },
  ];
}
