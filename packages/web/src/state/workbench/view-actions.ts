import { isNewSession } from '../sessions/new-sessions.ts';
import type { Action } from './actions.ts';
import type { Workbench } from './workbench.ts';

/** What stands in place of the conversation of the shown session: its changes, or its files. */
export function viewActions(workbench: Workbench, active: string | null): readonly Action[] {
  const { fileViews, reviews } = workbench;
  const isPossible = active !== null && !isNewSession(active);
  const isShown = (views: typeof reviews.shown): boolean => active !== null && views.get().has(active);
  return [
    {
      id: 'review',
      title: isShown(reviews.shown) ? 'Back to conversation' : 'Review changes',
      group: 'This session',
      keys: { code: 'KeyR', label: 'R', alt: true },
      isPossible,
      run: () => {
        fileViews.close(active ?? '');
        reviews.toggle(active ?? '');
      },
    },
    {
      id: 'files',
      title: isShown(fileViews.shown) ? 'Back to conversation' : 'Files of the folder',
      group: 'This session',
      keys: { code: 'KeyE', label: 'E', alt: true },
      isPossible,
      run: () => {
        reviews.close(active ?? '');
        fileViews.toggle(active ?? '');
      },
    },
  ];
}
