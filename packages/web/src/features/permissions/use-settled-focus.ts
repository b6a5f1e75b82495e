import { useEffect, useRef, type RefObject } from 'react';

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type=radio]):not([type=checkbox])');

/** A field with nothing in it yet is nobody's work. */
const isWriting = (element: Element | null): boolean => isTyping(element) && (element as HTMLInputElement).value !== '';

/** A key meant for what was there before must not answer what has just appeared. */
const settleMs = 600;

/**
 * Takes the focus to what has just appeared, but never out of what a person is writing; tells whether enough time has
 * passed for a key to be meant for it.
 */
export function useSettledFocus(
  element: RefObject<HTMLElement | null>,
  isActive: boolean,
): (timeStamp: number) => boolean {
  const openedAt = useRef(0);
  useEffect(() => {
    openedAt.current = performance.now();
    if (isActive && !isWriting(document.activeElement)) element.current?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it appears
  }, []);
  return (timeStamp) => timeStamp - openedAt.current >= settleMs;
}
