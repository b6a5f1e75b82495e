import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { watchPersonScroll } from './person-scroll.ts';
import './virtual-list.css';

/** The list's position when it was last shown; the list writes it, the owner only keeps it. */
export type ListMemory = { offset: number; atEnd: boolean; sizes: unknown };

type VirtualListProps = {
  readonly label: string;
  readonly count: number;
  readonly keyAt: (index: number) => string;
  /** About how high a row will be; the better the guess, the steadier the scroll bar. */
  readonly sizeAt: (index: number) => number;
  readonly renderAt: (index: number) => ReactNode;
  readonly memory: ListMemory;
  /** The user nears the start: more may be loaded in front. */
  readonly onNearStart: () => void;
  /** Home: to the first row there is, loaded or not. */
  readonly onStart: () => void;
  readonly endLabel: string;
  /** A new number takes the list to its end. */
  readonly endSignal: number;
  /** A row to scroll into view; `null` for none. */
  readonly goTo: number | null;
  readonly onArrived: () => void;
};

/** Within this distance the list is at its end and follows what comes. */
const endThreshold = 32;
const nearStart = 8;
/** What stays in sight above a row that was gone to: one reads what came before it. */
const roomAbove = 96;

/**
 * A list of which only what is seen is drawn. It holds on to its end until the user scrolls away from it, and to
 * what one reads when rows come in front or grow. The library's object changes in place, so no compiler may memoise
 * this file.
 */
export function VirtualList(props: VirtualListProps): ReactNode {
  'use no memo';
  const { count, keyAt, sizeAt, memory, onNearStart, endSignal } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(memory.atEnd);
  const [person] = useState(() => watchPersonScroll(() => performance.now()));
  const settled = useRef(false);
  const catchingUp = useRef(false);

  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    getItemKey: keyAt,
    estimateSize: sizeAt,
    overscan: 12,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: endThreshold,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    paddingStart: 16,
    paddingEnd: 24,
    scrollPaddingStart: roomAbove,
    initialMeasurementsCache: (memory.sizes as VirtualItem[] | undefined) ?? [],
    initialOffset: memory.atEnd ? 0 : memory.offset,
    onChange(instance) {
      if (!settled.current) return;
      const isAtEnd = instance.isAtEnd(endThreshold);
      memory.offset = instance.scrollOffset ?? 0;
      // Only the user's own scrolling lets go of the end; a row that is measured, or a smaller window, does not.
      if (isAtEnd) memory.atEnd = true;
      else if (memory.atEnd && person.isMovingUp()) memory.atEnd = false;
      else if (memory.atEnd) catchUp();
      setAtEnd(memory.atEnd);
      if (!memory.atEnd && (instance.range?.startIndex ?? nearStart) < nearStart) onNearStart();
    },
  });

  const catchUp = (): void => {
    if (catchingUp.current) return;
    catchingUp.current = true;
    requestAnimationFrame(() => {
      catchingUp.current = false;
      if (memory.atEnd) list.scrollToEnd();
    });
  };
  const goToEnd = (): void => {
    memory.atEnd = true;
    setAtEnd(true);
    list.scrollToEnd();
  };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const detach = person.attach(element);
    // The dock below grows and shrinks: what was at the end stays there.
    const resizes = new ResizeObserver(() => {
      if (settled.current && memory.atEnd) catchUp();
    });
    resizes.observe(element);
    return () => {
      detach();
      resizes.disconnect();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once per list; `catchUp` reads what is current through refs
  }, [person, memory]);

  useLayoutEffect(() => {
    if (settled.current || count === 0) return;
    settled.current = true;
    if (memory.atEnd) {
      list.scrollToEnd();
      catchUp();
    }
  });

  // A list too short to scroll can never near its start by scrolling.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && count > 0 && element.scrollHeight <= element.clientHeight) onNearStart();
  }, [count, onNearStart]);

  const seenSignal = useRef(endSignal);
  useLayoutEffect(() => {
    if (seenSignal.current === endSignal) return;
    seenSignal.current = endSignal;
    goToEnd();
  });

  const { goTo, onArrived } = props;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (goTo === null || element === null || !settled.current) return;
    onArrived();
    // All of it is in sight.
    if (element.scrollHeight <= element.clientHeight) return;
    memory.atEnd = false;
    setAtEnd(false);
    list.scrollToIndex(goTo, { align: 'start' });
    // A row in sight of the end moves nothing, and nothing says so.
    requestAnimationFrame(() => requestAnimationFrame(() => list.isAtEnd(endThreshold) && setAtEnd(true)));
  }, [goTo, onArrived, list, memory]);

  useLayoutEffect(
    () => () => {
      memory.sizes = list.takeSnapshot();
    },
    [list, memory],
  );

  return (
    <div className="virtual-list">
      {/* Announcing every token, and every row that scrolls into sight, would drown a listener: the page says apart
          when the agent starts, waits and ends. */}
      <div
        ref={scroller}
        className="virtual-list-scroller"
        role="log"
        aria-live="off"
        aria-label={props.label}
        tabIndex={0}
        onKeyDown={(event) => {
          if ((event.key !== 'Home' && event.key !== 'End') || event.shiftKey || event.altKey) return;
          // A part of a row that scrolls by itself, such as a long diff, keeps its keys.
          if (event.target instanceof Element && event.target.closest('[tabindex="0"]') !== event.currentTarget) return;
          // The browser would go by the guessed heights of rows never seen, and stop short of either end.
          event.preventDefault();
          if (event.key === 'Home') props.onStart();
          else goToEnd();
        }}
      >
        <div ref={list.containerRef} className="virtual-list-rows">
          {list.getVirtualItems().map((item) => (
            <div key={item.key} data-index={item.index} ref={list.measureElement} className="virtual-list-row">
              {props.renderAt(item.index)}
            </div>
          ))}
        </div>
      </div>
      {!atEnd && count > 0 && (
        <button type="button" className="button virtual-list-end" onClick={goToEnd}>
          {props.endLabel}
        </button>
      )}
    </div>
  );
}
