import type { SyntheticEvent } from 'react';

/**
 * Handlers of a dialog element for Escape and other ways the browser closes it. By itself, the browser closes it at once
 * but reports that only later: a key pressed in between could open it again, and the late report would close it.
 */
export function dialogClosing(onClose: () => void) {
  // A file field or a dialog inside has the same events.
  const isOwn = (event: SyntheticEvent): boolean => event.target === event.currentTarget;
  return {
    onCancel(event: SyntheticEvent): void {
      if (!isOwn(event)) return;
      event.preventDefault();
      onClose();
    },
    // Browsers don't always ask first.
    onClose(event: SyntheticEvent): void {
      if (isOwn(event)) onClose();
    },
  };
}
