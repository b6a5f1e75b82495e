import { act } from 'react';
import { afterEach, vi } from 'vitest';
import { unmountAll } from './render.tsx';

/** React asks for it: changes outside of `act` are then reported. */
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** The DOM used here has no popovers: these two do as much of one as the page relies on. */
function dispatchToggle(element: HTMLElement, newState: 'open' | 'closed'): void {
  const toggle = new Event('toggle');
  Object.assign(toggle, { newState, oldState: newState === 'open' ? 'closed' : 'open' });
  element.dispatchEvent(toggle);
}
Object.assign(HTMLElement.prototype, {
  showPopover(this: HTMLElement) {
    dispatchToggle(this, 'open');
  },
  hidePopover(this: HTMLElement) {
    // What has the focus in it is no longer there to have it.
    if (this.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
    dispatchToggle(this, 'closed');
  },
});

// Files share a worker: nothing of one test is left for the next.
afterEach(async () => {
  await act(async () => unmountAll());
  vi.useRealTimers();
  document.body.replaceChildren();
  localStorage.clear();
});
