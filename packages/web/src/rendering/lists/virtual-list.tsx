import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { watchPersonScroll } from './person-scroll.ts';
import './virtual-list.css';

/** The list's last scroll position. The list writes it, the owner only stores it. */
export type ListMemory = { offset: number; atEnd: boolean; sizes: unknown };

type VirtualListProps = {
  readonly label: string;
  readonly count: number;
  readonly keyAt: (index: number) => string;
  /** The estimated height of a row; the better the estimate, the steadier the scroll bar. */
  readonly sizeAt: (index: number) => number;
  readonly renderAt: (index: number) => ReactNode;
  readonly memory: ListMemory;
  /** The user scrolls near the start: more rows may be loaded before it. */
  readonly onNearStart: () => void;
  /** Home key: go to the very first row, loaded or not. */
  readonly onStart: () => void;
  readonly endLabel: string;
  /** A new number scrolls the list to its end. */
  readonly endSignal: number;
  /** A row to scroll into view; `null` for none. */
  readonly goTo: number | null;
  readonly onArrived: () => void;
};

/** Within this distance the list counts as at its end and follows new rows. */
const endThreshold = 32;
const nearStart = 8;
/** Space above a row that was scrolled to, so the user sees what came before it. */
const roomAbove = 96;

/**
 * A virtual list. It stays at its end until the user scrolls away, and otherwise keeps the visible rows in place when
 * rows are added before them or grow. The library's object is mutable, so the React compiler must not memoise this
 * file.
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
      // Only the user's own scrolling leaves the end; measuring a row or a smaller window doesn't.
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
    // The dock below grows and shrinks: rows at the end stay there.
    const resizes = new ResizeObserver(() => {
      if (settled.current && memory.atEnd) catchUp();
    });
    resizes.observe(element);
    return () => {
      detach();
      resizes.disconnect();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once per list; `catchUp` reads current values through refs
  }, [person, memory]);

  useLayoutEffect(() => {
    if (settled.current || count === 0) return;
    settled.current = true;
    if (memory.atEnd) {
      list.scrollToEnd();
      catchUp();
    }
  });

  // A list too short to scroll never scrolls near its start.
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
    // Everything is visible.
    if (element.scrollHeight <= element.clientHeight) return;
    memory.atEnd = false;
    setAtEnd(false);
    list.scrollToIndex(goTo, { align: 'start' });
    // A row that is already visible at the end causes no scroll event.
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
      {/* Announcing every token and every row would overwhelm screen readers. The page announces separately when the
          agent starts, waits and ends. */}
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
          // The browser would use estimated heights of unseen rows, and stop short of either end.
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
          <Icon name="arrowDown" />
          <span className="virtual-list-end-label">{props.endLabel}</span>
        </button>
      )}
    </div>
  );
}
