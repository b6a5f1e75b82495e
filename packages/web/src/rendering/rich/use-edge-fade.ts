import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Marks the sides on which a horizontal scroller continues, for a fade at that edge. */
export function useEdgeFade<Element extends HTMLElement>(): RefObject<Element | null> {
  const scroller = useRef<Element>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const mark = (): void => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const before = Math.abs(scrollLeft) > 1;
      const after = Math.abs(scrollLeft) + clientWidth < scrollWidth - 1;
      element.dataset['fade'] = before && after ? 'both' : before ? 'start' : after ? 'end' : 'none';
    };
    const observer = new ResizeObserver(mark);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, []);
  return scroller;
}
