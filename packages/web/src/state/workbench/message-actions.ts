import type { Action } from './actions.ts';
import type { Workbench } from './workbench.ts';

/** Finding, reaching and quoting messages in the active session. */
export function messageActions(workbench: Workbench, active: string | null): readonly Action[] {
  const { directory, panels } = workbench;
  const isKnown = active !== null && directory.get().sessions.has(active);
  const onActive = (task: (sessionId: string) => void) => (): void => {
    if (active !== null) task(active);
  };
  return [
    {
      id: 'find',
      title: 'Find in conversation',
      group: 'This session',
      keys: { code: 'KeyF', label: 'F', mod: true },
      isPossible: isKnown,
      run: () => {
        panels.find.set(null);
        workbench.toConversation(active ?? '');
        panels.find.set(active);
      },
    },
    {
      id: 'previous-message',
      title: 'Previous message',
      group: 'This session',
      keys: { code: 'ArrowUp', label: '↑', alt: true },
      isPossible: active !== null,
      run: onActive((id) => void workbench.jumpToMessage(id, -1)),
    },
    {
      id: 'next-message',
      title: 'Next message',
      group: 'This session',
      keys: { code: 'ArrowDown', label: '↓', alt: true },
      isPossible: active !== null,
      run: onActive((id) => void workbench.jumpToMessage(id, 1)),
    },
    {
      id: 'quote',
      title: 'Quote selection in message',
      group: 'This session',
      keys: { code: 'KeyQ', label: 'Q', alt: true },
      isPossible: active !== null,
      run: onActive((sessionId) => {
        const selected = (getSelection()?.toString() ?? '').trim();
        if (selected === '') return;
        panels.insert.set({ sessionId, text: selected.replace(/^/gm, '> ') });
      }),
    },
  ];
}
