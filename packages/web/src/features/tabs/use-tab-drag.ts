import { useState, type DragEvent, type DragEventHandler } from 'react';
import type { TabsStore } from '../../state/tabs-store.ts';

export type DropSide = 'before' | 'after';
type Drag = { readonly dragged: string; readonly over: string | null; readonly side: DropSide };

type TabDrag = {
  /** Where the dragged tab would come to stand, if it is at this tab. */
  readonly dropAt: (sessionId: string) => DropSide | null;
  readonly handlersFor: (
    sessionId: string,
  ) => Record<'onDragStart' | 'onDragOver' | 'onDrop' | 'onDragEnd', DragEventHandler>;
};

const sideOf = (event: DragEvent): DropSide => {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  return event.clientX < left + width / 2 ? 'before' : 'after';
};

/** Moves a tab by dragging it; the keys do the same in the bar. */
export function useTabDrag(tabs: TabsStore): TabDrag {
  const [drag, setDrag] = useState<Drag | null>(null);

  const drop = (target: string, side: DropSide): void => {
    if (drag === null || drag.dragged === target) return;
    const rest = tabs.get().open.filter((id) => id !== drag.dragged);
    const to = rest.indexOf(target) + (side === 'after' ? 1 : 0);
    tabs.move(drag.dragged, to - tabs.get().open.indexOf(drag.dragged));
  };

  return {
    dropAt: (sessionId) => (drag !== null && drag.over === sessionId && drag.dragged !== sessionId ? drag.side : null),
    handlersFor: (sessionId) => ({
      onDragStart(event) {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', '');
        setDrag({ dragged: sessionId, over: null, side: 'before' });
      },
      onDragOver(event) {
        if (drag === null) return;
        event.preventDefault();
        const side = sideOf(event);
        if (drag.over !== sessionId || drag.side !== side) setDrag({ ...drag, over: sessionId, side });
      },
      onDrop(event) {
        event.preventDefault();
        drop(sessionId, sideOf(event));
        setDrag(null);
      },
      onDragEnd: () => setDrag(null),
    }),
  };
}
