import {
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';
import { layoutRows, type RowLayout } from './row-layout.ts';
import './window-list.css';

export type WindowHandle = {
  /** Scrolls a row into view: to the top, or only as far as needed. */
  readonly scrollTo: (key: string, align?: 'start' | 'nearest') => void;
  readonly focus: () => void;
  /** Focuses the content of a row, if the row is rendered. */
  readonly focusRow: (key: string) => void;
};

type WindowListProps = {
  readonly label: string;
  readonly count: number;
  /** Must stay the same function while the rows are unchanged. */
  readonly keyAt: (index: number) => string;
  /** The estimated height of a row. */
  readonly sizeAt: (index: number) => number;
  readonly renderAt: (index: number) => ReactNode;
  /** The header that a row belongs to; it stays visible above its rows. */
  readonly headOf?: (index: number) => number;
  /** A row that stays rendered wherever the user scrolls, such as the one with the focus; not in a list with headers. */
  readonly keepAt?: number;
  readonly handle?: Ref<WindowHandle>;
  readonly className?: string;
  readonly role?: string;
  readonly tabIndex?: number;
};

/** Drawn beyond the visible area, so the user never scrolls into a blank. */
const margin = 500;
/** A large window, used until its height is known. */
const unknownHeight = 1200;

type Range = { readonly first: number; readonly last: number };
type Anchor = { readonly key: string; readonly offset: number };

const rangeOf = (layout: RowLayout, top: number, height: number): Range => ({
  first: layout.at(top - margin),
  last: layout.at(top + (height || unknownHeight) + margin),
});

/** A long virtual list. The visible rows stay in place when rows above them are added, removed or measured. */
export function WindowList(props: WindowListProps): ReactNode {
  const { count, keyAt, sizeAt, headOf, keepAt, handle } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [sizes, setSizes] = useState<ReadonlyMap<string, number>>(() => new Map());
  const layout = useMemo(
    () => layoutRows(count, keyAt, (key, index) => sizes.get(key) ?? sizeAt(index)),
    [count, keyAt, sizeAt, sizes],
  );
  const [view, setView] = useState({ top: 0, height: 0 });
  const { first, last } = rangeOf(layout, view.top, view.height);
  const anchor = useRef<Anchor | null>(null);

  const look = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop: top, clientHeight: height } = element;
    const index = layout.at(top);
    anchor.current = count === 0 ? null : { key: keyAt(index), offset: top - layout.top(index) };
    const next = rangeOf(layout, top, height);
    if (next.first !== first || next.last !== last || height !== view.height) setView({ top, height });
  };

  const onLook = useEffectEvent(look);

  // Rows were added, removed or measured: the visible row keeps its place.
  useLayoutEffect(() => {
    const element = scroller.current;
    const held = anchor.current;
    if (element === null) return;
    const index = held === null ? -1 : layout.indexOf(held.key);
    if (held !== null && index >= 0) {
      const wanted = layout.top(index) + held.offset;
      if (Math.abs(element.scrollTop - wanted) > 1) element.scrollTop = wanted;
    }
    onLook();
  }, [layout]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => onLook());
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const [measure] = useState(() => createMeasure(setSizes));
  useImperativeHandle(handle, () => ({
    scrollTo(key, align = 'start') {
      const element = scroller.current;
      const index = layout.indexOf(key);
      if (element === null || index < 0) return;
      const [top, bottom] = [layout.top(index), layout.top(index + 1)];
      const isSeen = top >= element.scrollTop && bottom <= element.scrollTop + element.clientHeight;
      if (align === 'nearest' && isSeen) return;
      anchor.current = { key, offset: 0 };
      element.scrollTop = top;
      look();
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
    focusRow: (key) =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] > *`)
        ?.focus({ preventScroll: true }),
  }));

  const head = headOf === undefined || count === 0 ? first : Math.min(headOf(layout.at(view.top)), first);
  const hasHead = head < first;
  const headSize = hasHead ? layout.top(head + 1) - layout.top(head) : 0;
  const shown = Array.from({ length: count === 0 ? 0 : last - first + 1 }, (_, place) => first + place);
  const row = (index: number): ReactNode => (
    <div
      key={`row ${keyAt(index)}`}
      ref={measure}
      data-key={keyAt(index)}
      className={headOf?.(index) === index ? 'window-row window-head' : 'window-row'}
    >
      {props.renderAt(index)}
    </div>
  );
  const isKept = keepAt !== undefined && keepAt < count && (keepAt < first || keepAt > last);
  const keptAbove = isKept && keepAt < first ? keepAt : undefined;
  const keptBelow = isKept && keepAt > last ? keepAt : undefined;
  /** The rows between the one that stays rendered and the visible ones. */
  const gap = (from: number, to: number): ReactNode => (
    <div key="gap" style={{ height: layout.top(to) - layout.top(from) }} />
  );
  return (
    <div
      ref={scroller}
      className={`window-list ${props.className ?? ''}`}
      role={props.role ?? 'group'}
      aria-label={props.label}
      tabIndex={props.tabIndex ?? 0}
      onScroll={look}
    >
      <div className="window-rows" style={{ height: layout.total }}>
        {hasHead && row(head)}
        <div key="space" style={{ height: layout.top(keptAbove ?? first) - headSize }} />
        {/* One array, so a row is the same element whether it is visible or only kept. */}
        {[
          ...(keptAbove === undefined ? [] : [row(keptAbove), gap(keptAbove + 1, first)]),
          ...shown.map(row),
          ...(keptBelow === undefined ? [] : [gap(last + 1, keptBelow), row(keptBelow)]),
        ]}
      </div>
    </div>
  );
}

/** Measures the heights of rows, and reports all changes together. */
function createMeasure(
  setSizes: (change: (sizes: ReadonlyMap<string, number>) => ReadonlyMap<string, number>) => void,
) {
  if (typeof ResizeObserver === 'undefined') return () => {};
  const observer = new ResizeObserver((entries) => {
    const measured = entries.flatMap(({ target, borderBoxSize: [box] }): [string, number][] => {
      const key = (target as HTMLElement).dataset['key'];
      return key === undefined || box === undefined || !target.isConnected ? [] : [[key, box.blockSize]];
    });
    setSizes((sizes) =>
      measured.every(([key, size]) => sizes.get(key) === size) ? sizes : new Map([...sizes, ...measured]),
    );
  });
  return (element: HTMLElement | null): (() => void) | undefined => {
    if (element === null) return undefined;
    observer.observe(element);
    return () => observer.unobserve(element);
  };
}
