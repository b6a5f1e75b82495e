import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** How far out of sight something is drawn already, so one never scrolls into a blank. */
const margin = 2000;

const scrollerOf = (element: Element): HTMLElement | null => element.closest('.virtual-list-scroller');

/**
 * Whether something is in sight or was once near it; what was drawn stays. What turns out higher or lower than it was
 * guessed, above what one reads, moves the list by as much, so the words before one's eyes stay where they are.
 */
export function useNear(place: RefObject<HTMLElement | null>, isLazy: boolean): boolean {
  const [wasNear, setWasNear] = useState(!isLazy);
  const guessed = useRef<number | null>(null);
  // What was drawn once stays drawn, also when the text it belongs to turns out to be a long one.
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

/** Whether an element is at least so wide, now and whenever that changes. */
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
