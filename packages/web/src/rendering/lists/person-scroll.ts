/** How long after a key, a wheel or a touch a scroll still counts as the user's. */
const lastsMs = 700;
const upKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

export type PersonScroll = {
  /** Whether a scroll towards the start, now, is the user's own. */
  readonly isMovingUp: () => boolean;
  readonly attach: (scroller: HTMLElement) => () => void;
};

/**
 * Distinguishes the user's scrolling from the list's own: a list that measures its rows scrolls all the time, and only
 * the user may leave its end.
 */
export function watchPersonScroll(now: () => number): PersonScroll {
  let upUntil = -Infinity;
  let touchY = 0;
  let isHeld = false;
  const up = (): void => {
    upUntil = now() + lastsMs;
  };
  const listeners = {
    wheel: (event: WheelEvent) => event.deltaY < 0 && up(),
    keydown: (event: KeyboardEvent) => (upKeys.has(event.key) || (event.key === ' ' && event.shiftKey)) && up(),
    touchstart: (event: TouchEvent) => {
      touchY = event.touches[0]?.clientY ?? 0;
    },
    touchmove: (event: TouchEvent) => (event.touches[0]?.clientY ?? 0) > touchY && up(),
    // On the scroll bar itself, only the press is reported.
    pointerdown: (event: PointerEvent) => {
      isHeld = event.target === event.currentTarget;
    },
  };
  const release = (): void => {
    if (isHeld) up();
    isHeld = false;
  };
  return {
    isMovingUp: () => isHeld || now() < upUntil,
    attach(scroller) {
      const entries = Object.entries(listeners) as [string, EventListener][];
      for (const [name, listener] of entries) scroller.addEventListener(name, listener, { passive: true });
      addEventListener('pointerup', release);
      return () => {
        for (const [name, listener] of entries) scroller.removeEventListener(name, listener);
        removeEventListener('pointerup', release);
      };
    },
  };
}
