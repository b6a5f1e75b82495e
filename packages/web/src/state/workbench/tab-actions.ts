import type { Keys } from '../../ui/keys.ts';
import { shownTabs } from '../layout/tabs-store.ts';
import type { Action, FocusTargets } from './actions.ts';
import type { Workbench } from './workbench.ts';

/** Everything that can be done with tabs from the keyboard, as they stand now. */
export function tabActions({ panels, tabs }: Workbench, focus: FocusTargets): readonly Action[] {
  const { active, open, split } = tabs.get();
  const isSplit = shownTabs(tabs.get()).length > 1;
  const onActive = (task: (sessionId: string) => void) => (): void => {
    if (active !== null) task(active);
  };
  const alt = (code: string, label: string): Keys => ({ code, label, alt: true });
  const altShift = (code: string, label: string): Keys => ({ code, label, alt: true, shift: true });
  const isOpen = active !== null;

  return [
    {
      id: 'next-tab',
      title: 'Next tab',
      group: 'Tabs',
      keys: alt('BracketRight', ']'),
      isPossible: open.length > 1,
      run: () => tabs.step(1),
    },
    {
      id: 'previous-tab',
      title: 'Previous tab',
      group: 'Tabs',
      keys: alt('BracketLeft', '['),
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
        if (isSplit) return tabs.endSplit();
        const next = open[(open.indexOf(active ?? '') + 1) % open.length];
        return next === undefined ? undefined : tabs.showBeside(next);
      },
    },
    {
      id: 'other-side',
      title: 'Switch sides',
      group: 'Tabs',
      keys: alt('KeyO', 'O'),
      isPossible: isSplit,
      run: () => {
        if (!isSplit || split === null) return;
        tabs.show(active === split.left ? split.right : split.left);
        requestAnimationFrame(focus.focusComposer);
      },
    },
    {
      id: 'tab-list',
      title: 'List open tabs',
      group: 'Tabs',
      keys: alt('KeyT', 'T'),
      isPossible: open.length > 1,
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
