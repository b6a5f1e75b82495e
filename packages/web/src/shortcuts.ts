import type { Workbench } from './state/workbench.ts';
import { signFor } from './state/use-signs.ts';

/** The next session that waits for the person, after the shown one, in the order of the list. */
export function nextWaiting(workbench: Workbench): string | null {
  const { sessions } = workbench.directory.get();
  const ids = [...sessions.keys()];
  const from = ids.indexOf(workbench.tabs.get().active ?? '') + 1;
  const unread = workbench.unread.get();
  return (
    [...ids.slice(from), ...ids.slice(0, from)].find((id) => signFor(sessions.get(id), unread) === 'waiting') ?? null
  );
}

/**
 * What keys do anywhere on the page. By the place of the key, not its letter: with Alt held, some keyboards write
 * another one.
 */
export function onShortcut(workbench: Workbench, event: KeyboardEvent, page: Document): boolean {
  const { tabs, api } = workbench;
  if (event.key === 'Escape' && !event.defaultPrevented && page.querySelector('dialog[open]') === null) {
    const { active } = tabs.get();
    const store = active === null ? undefined : workbench.session(active);
    if (store === undefined || store.running() === null) return false;
    if (store.permissions().length > 0) {
      // What is asked comes first; there, Escape refuses.
      page.querySelector<HTMLElement>('.permission')?.focus();
      return true;
    }
    void api.cancel(store.sessionId);
    return true;
  }
  if (!event.altKey || event.ctrlKey || event.metaKey) return false;
  switch (event.code) {
    case 'BracketLeft':
      tabs.step(-1);
      return true;
    case 'BracketRight':
      tabs.step(1);
      return true;
    case 'KeyW': {
      const waiting = nextWaiting(workbench);
      if (waiting !== null) tabs.show(waiting);
      return true;
    }
    case 'KeyC':
      page.querySelector<HTMLElement>('#composer-input')?.focus();
      return true;
    case 'KeyP':
      page.querySelector<HTMLElement>('.permission')?.focus();
      return true;
    default: {
      const place = /^Digit([1-9])$/.exec(event.code)?.[1];
      if (place === undefined) return false;
      tabs.showAt(Number(place) - 1);
      return true;
    }
  }
}
