import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import './virtual-list.css';

/** Where the list stood when it was last shown; the list writes it, the owner only keeps it. */
export type ListMemory = { offset: number; atEnd: boolean; sizes: unknown };

type VirtualListProps = {
  readonly label: string;
  readonly count: number;
  readonly keyAt: (index: number) => string;
  readonly renderAt: (index: number) => ReactNode;
  readonly memory: ListMemory;
  /** The person nears the start: more may be loaded in front. */
  readonly onNearStart: () => void;
  readonly endLabel: string;
  /** A new number takes the list to its end, wherever it stood. */
  readonly endSignal: number;
};

/** Within this distance the list is at its end and follows what comes. */
const endThreshold = 32;
const nearStart = 8;

/**
 * A list of which only what is seen is drawn. It holds on to its end while one is there, and to what one reads when
 * rows come in front or grow. The library's object changes in place, so no compiler may memoise this file.
 */
export function VirtualList(props: VirtualListProps): ReactNode {
  'use no memo';
  const { count, keyAt, memory, onNearStart, endSignal } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(memory.atEnd);
  const settled = useRef(false);
  const catchingUp = useRef(false);

  // oxlint-disable-next-line react/incompatible-library -- it is this file's whole purpose
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    getItemKey: keyAt,
    estimateSize: () => 56,
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: endThreshold,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    paddingStart: 16,
    paddingEnd: 24,
    initialMeasurementsCache: (memory.sizes as VirtualItem[] | undefined) ?? [],
    initialOffset: memory.atEnd ? 0 : memory.offset,
    onChange(instance) {
      if (!settled.current) return;
      const isAtEnd = instance.isAtEnd(endThreshold);
      const scrolledUp = instance.isScrolling && instance.scrollDirection === 'backward';
      memory.offset = instance.scrollOffset ?? 0;
      // Only the person's own scrolling lets go of the end; a smaller window or a row that grew does not.
      if (isAtEnd || scrolledUp) memory.atEnd = isAtEnd;
      else if (memory.atEnd) catchUp();
      setAtEnd(memory.atEnd);
      if ((instance.range?.startIndex ?? nearStart) < nearStart) onNearStart();
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
    if (settled.current || count === 0) return;
    settled.current = true;
    if (memory.atEnd) list.scrollToEnd();
  }, [count, list, memory]);

  const seenSignal = useRef(endSignal);
  useLayoutEffect(() => {
    if (seenSignal.current === endSignal) return;
    seenSignal.current = endSignal;
    goToEnd();
  });

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
