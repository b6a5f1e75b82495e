import { useLayoutEffect, useState, type RefObject } from 'react';

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
