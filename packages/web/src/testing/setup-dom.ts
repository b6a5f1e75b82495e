import { act } from 'react';
import { afterEach, vi } from 'vitest';
import { unmountAll } from './render.tsx';

/** React needs this to report changes outside of `act`. */
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** The DOM used here has no popovers: these two implement what the page needs. */
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
    // A hidden popover can't keep the focus.
    if (this.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
    dispatchToggle(this, 'closed');
  },
});

// Test files share a worker: clean up after each test.
afterEach(async () => {
  await act(async () => unmountAll());
  vi.useRealTimers();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
