import { useCallback } from 'react';
import type { SessionStore } from './state/sessions/session-store.ts';
import { useWorkbench } from './state/workbench/use-workbench.ts';

export type Place = {
  readonly sessionId: string;
  readonly turnId?: string | undefined;
  readonly itemId?: string | undefined;
};

/** Opens a session at an item: loads older turns as far as needed, then scrolls the timeline to the item's row. */
export function useReveal(): (place: Place) => Promise<void> {
  const workbench = useWorkbench();
  return useCallback(
    async ({ sessionId, turnId, itemId }) => {
      workbench.tabs.show(sessionId);
      const store = workbench.session(sessionId);
      if (store === undefined || turnId === undefined || itemId === undefined) return;
      await isLoaded(store);
      // The list would otherwise stay at its end.
      store.view.atEnd = false;
      if (await workbench.loadTurn(store, turnId)) store.seek(itemId);
    },
    [workbench],
  );
}

function isLoaded(store: SessionStore): Promise<void> {
  if (store.load().phase !== 'waiting') return Promise.resolve();
  return new Promise((resolve) => {
    const stop = store.subscribe('load', () => {
      stop();
      resolve();
    });
  });
}
