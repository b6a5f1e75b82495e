import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** How far outside the visible area content is drawn, so the user never scrolls into a blank. */
const margin = 2000;

const scrollerOf = (element: Element): HTMLElement | null => element.closest('.virtual-list-scroller');

/**
 * Whether an element is visible or was once near; it stays drawn after that. If its real height differs from the
 * estimate and it is above the visible area, the list scrolls by the difference, so the visible text stays in place.
 */
export function useNear(place: RefObject<HTMLElement | null>, isLazy: boolean): boolean {
  const [wasNear, setWasNear] = useState(!isLazy);
  const guessed = useRef<number | null>(null);
  // Stays drawn, even if the text around it becomes a long one.
  if (!isLazy && !wasNear) setWasNear(true);
  const isNear = wasNear || !isLazy;

  useEffect(() => {
    const element = place.current;
    if (element === null || isNear) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        guessed.current = element.offsetHeight;
        setWasNear(true);
      },
      { root: scrollerOf(element), rootMargin: `${margin}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, isNear]);

  useLayoutEffect(() => {
    const element = place.current;
    const before = guessed.current;
    if (element === null || before === null || !wasNear) return;
    guessed.current = null;
    const scroller = scrollerOf(element);
    const { top } = element.getBoundingClientRect();
    const isAbove = scroller !== null && top + before <= scroller.getBoundingClientRect().top;
    if (isAbove) scroller.scrollTop += element.offsetHeight - before;
  }, [place, wasNear]);

  return isNear;
}

/** Whether an element is at least this wide, updated when that changes. */
export function useIsWide(element: RefObject<HTMLElement | null>, least: number): boolean {
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    const observer = new ResizeObserver(() => setWide(watched.clientWidth >= least));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, least]);
  return isWide;
}
