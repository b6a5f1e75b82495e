import type { Row } from '@liminal/domain/timeline/row';
import { useCallback } from 'react';
import type { SessionStore } from './state/session-store.ts';
import { useWorkbench } from './state/use-workbench.ts';

export type Place = { readonly sessionId: string; readonly turnId?: string; readonly itemId?: string };

/** Opens a session at an item: older turns are loaded as far as needed, then its row is brought into sight. */
export function useReveal(): (place: Place) => Promise<void> {
  const workbench = useWorkbench();
  return useCallback(
    async ({ sessionId, turnId, itemId }) => {
      workbench.tabs.show(sessionId);
      const store = workbench.session(sessionId);
      if (store === undefined || turnId === undefined || itemId === undefined) return;
      await isLoaded(store);
      // The list would hold on to its end: the person wants to be elsewhere.
      store.view.atEnd = false;
      if (await workbench.loadTurn(store, turnId)) await showRow(store, itemId);
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

const holds = (row: Row, itemId: string): boolean => {
  switch (row.kind) {
    case 'group':
      return row.itemIds.includes(itemId);
    case 'tool':
      return row.itemId === itemId || row.children.some((child) => holds(child, itemId));
    case 'turn-end':
      return false;
    case 'user':
    case 'text':
    case 'thinking':
    case 'plan':
    case 'note':
      return row.itemId === itemId;
  }
};

/** Where the row of an item stands in the list. */
export function placeOf(rows: SessionStore['rows'], itemId: string): number {
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows.at(index);
    if (row !== undefined && holds(row, itemId)) return index;
  }
  return -1;
}

const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
const tries = 40;

/**
 * Only the rows near the sight exist, and their heights are guesses until they were drawn: so this goes towards the
 * row step by step, each time by what is still missing, until it is there.
 */
async function showRow(store: SessionStore, itemId: string): Promise<void> {
  let steady = 0;
  for (let attempt = 0; attempt < tries && steady < 2; attempt += 1) {
    await frame();
    const list = document.querySelector<HTMLElement>('.pane-active .virtual-list-scroller');
    const index = placeOf(store.rows, itemId);
    if (list === null || index < 0) continue;
    store.view.atEnd = false;
    const row = list.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (row === null) {
      const drawn = [...list.querySelectorAll<HTMLElement>('[data-index]')].map((each) =>
        Number(each.dataset['index']),
      );
      const average = list.scrollHeight / Math.max(1, store.rows.length);
      const nearest = index < Math.min(...drawn) ? Math.min(...drawn) : Math.max(...drawn);
      list.scrollTop += (index - nearest) * average;
      steady = 0;
      continue;
    }
    const offset = row.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 4;
    if (Math.abs(offset) < 2 || isAtEdge(list, offset)) steady += 1;
    else list.scrollTop += offset;
    if (steady === 2) mark(row);
  }
}

const isAtEdge = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement, offset: number): boolean =>
  offset < 0 ? scrollTop <= 0 : scrollTop + clientHeight >= scrollHeight - 1;

/** Shows for a moment which row was meant. */
function mark(row: HTMLElement): void {
  row.classList.add('row-found');
  setTimeout(() => row.classList.remove('row-found'), 2500);
}
