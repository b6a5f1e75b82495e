import type { Keys } from '../../ui/keys.ts';
import { shownTabs } from '../layout/tabs.ts';
import type { Action, FocusTargets } from './actions.ts';
import type { Workbench } from './workbench.ts';

const alt = (code: string, label: string): Keys => ({ code, label, alt: true });
/** Keys that switch tabs or panes, even from within a terminal: a shell doesn't use them. */
export const tabKeys = {
  next: alt('BracketRight', ']'),
  previous: alt('BracketLeft', '['),
  otherPane: alt('KeyO', 'O'),
} as const;

/** All keyboard actions on tabs, in their current state. */
export function tabActions({ areTabsCovered, panels, tabs }: Workbench, focus: FocusTargets): readonly Action[] {
  const { open } = tabs.get();
  // Behind the inbox or a comparison no tab is visible, so there is none to act on.
  const active = areTabsCovered() ? null : tabs.get().active;
  const shown = shownTabs({ ...tabs.get(), active });
  const isSplit = shown.length > 1;
  const onActive = (task: (id: string) => void) => (): void => {
    if (active !== null) task(active);
  };
  const altShift = (code: string, label: string): Keys => ({ code, label, alt: true, shift: true });
  const isOpen = active !== null;

  /** The next tab that isn't visible yet. */
  const next = [...open, ...open].slice(open.indexOf(active ?? '') + 1).find((id) => !shown.includes(id));

  return [
    {
      id: 'next-tab',
      title: 'Next tab',
      group: 'Tabs',
      keys: tabKeys.next,
      isPossible: open.length > 1,
      run: () => tabs.step(1),
    },
    {
      id: 'previous-tab',
      title: 'Previous tab',
      group: 'Tabs',
      keys: tabKeys.previous,
      isPossible: open.length > 1,
      run: () => tabs.step(-1),
    },
    {
      id: 'move-tab-right',
      title: 'Move tab right',
      group: 'Tabs',
      keys: altShift('BracketRight', ']'),
      isPossible: isOpen && open.length > 1,
      run: onActive((id) => tabs.move(id, 1)),
    },
    {
      id: 'move-tab-left',
      title: 'Move tab left',
      group: 'Tabs',
      keys: altShift('BracketLeft', '['),
      isPossible: isOpen && open.length > 1,
      run: onActive((id) => tabs.move(id, -1)),
    },
    {
      id: 'beside',
      title: isSplit ? 'Close split view' : 'Split with next tab',
      group: 'Tabs',
      keys: alt('KeyB', 'B'),
      isPossible: isSplit || (isOpen && open.length > 1),
      run: () => {
        if (isSplit) tabs.endSplit();
        else if (next !== undefined) tabs.showBeside(next);
      },
    },
    {
      id: 'below',
      title: 'Split below with next tab',
      group: 'Tabs',
      keys: altShift('KeyB', 'B'),
      isPossible: isOpen && next !== undefined,
      run: () => next !== undefined && tabs.showBeside(next, 'bottom'),
    },
    {
      id: 'right',
      title: 'Split right with next tab',
      group: 'Tabs',
      keys: altShift('KeyR', 'R'),
      isPossible: isOpen && next !== undefined,
      run: () => next !== undefined && tabs.showBeside(next, 'right'),
    },
    {
      id: 'other-side',
      title: 'Next pane',
      group: 'Tabs',
      keys: tabKeys.otherPane,
      isPossible: isSplit,
      run: () => {
        const other = shown[(shown.indexOf(active ?? '') + 1) % shown.length];
        if (!isSplit || other === undefined) return;
        tabs.show(other);
        requestAnimationFrame(focus.focusPane);
      },
    },
    {
      id: 'tab-list',
      title: 'List open tabs',
      group: 'Tabs',
      keys: alt('KeyT', 'T'),
      isPossible: tabs.all().length > 1,
      run: () => panels.tabList.set(true),
    },
    {
      id: 'close-other-tabs',
      title: 'Close other tabs',
      group: 'Tabs',
      isPossible: isOpen && open.length > 1,
      run: onActive(tabs.closeOthers),
    },
    {
      id: 'close-tab',
      title: 'Close tab (keeps running)',
      group: 'Tabs',
      keys: alt('KeyX', 'X'),
      isPossible: isOpen,
      run: onActive(tabs.close),
    },
  ];
}
