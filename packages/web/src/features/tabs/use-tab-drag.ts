import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import type { Cell } from '../../state/base/cell.ts';
import type { Edge } from '../../state/layout/splits.ts';
import type { TabsStore } from '../../state/layout/tabs-store.ts';

/** A mouse that moves less than this has clicked. */
const clickSlack = 5;
/** A finger that holds this long picks up the tab; one that moves earlier scrolls the bar. */
const holdMs = 250;
/** A tab dragged this close to the edge of the bar scrolls it. */
const edge = 28;

type Drag = { readonly dragged: string; readonly drop: DropPlace | null };
type Press = {
  readonly id: string;
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  readonly byTouch: boolean;
  lifted: boolean;
  /** The browser asked for the context menu. */
  hasMenu: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
};

type DropCell = Cell<{ readonly tab: string; readonly edge: Edge } | null>;

type TabDrag = {
  /** On which side of this tab the dragged one would be dropped, if any. */
  readonly dropAt: (id: string) => DropSide | null;
  readonly isDragged: (id: string) => boolean;
  readonly onPointerDown: (event: PointerEvent, id: string) => void;
  /** Whether a click is only the end of a drag. */
  readonly swallowsClick: () => boolean;
};

/**
 * Moves a tab by dragging it with a mouse, a pen or a finger: within the bar, or to an edge of a visible tab. The same
 * is possible by key.
 */
export function useTabDrag(tabs: TabsStore, dropAt: DropCell, list: RefObject<HTMLElement | null>): TabDrag {
  const [drag, setDrag] = useState<Drag | null>(null);
  const press = useRef<Press | null>(null);
  const hasDragged = useRef(false);

  useEffect(() => {
    const bar = list.current;
    if (bar === null) return undefined;
    let latest: Drag | null = null;
    const show = (next: Drag | null): void => {
      latest = next;
      setDrag(next);
    };
    const end = (): void => {
      clearTimeout(press.current?.timer);
      press.current = null;
      show(null);
      dropAt.set(null);
    };
    const onMove = (event: globalThis.PointerEvent): void => {
      const held = press.current;
      if (held === null || held.pointerId !== event.pointerId) return;
      const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > clickSlack;
      if (held.byTouch && !held.lifted) return isFar ? end() : undefined;
      if (!isFar && latest === null) return;
      hasDragged.current = true;
      const { left, right } = bar.getBoundingClientRect();
      if (event.clientX < left + edge) bar.scrollLeft -= 8;
      else if (event.clientX > right - edge) bar.scrollLeft += 8;
      const beside = paneEdge(event, held.id);
      dropAt.set(beside);
      const drop = beside === null ? dropPlace(tabBoxes(bar), held.id, event.clientX) : null;
      show({ dragged: held.id, drop });
    };
    const onUp = (event: globalThis.PointerEvent): void => {
      const held = press.current;
      if (held?.pointerId !== event.pointerId) return;
      const beside = dropAt.get();
      if (latest !== null && beside !== null) tabs.showBeside(latest.dragged, beside.edge, beside.tab);
      else if (latest?.drop) moveTo(tabs, latest.dragged, latest.drop);
      end();
      if (held.hasMenu && !hasDragged.current) openMenu(bar, held.id, event);
      // The click that ends a drag comes at once; any later one, or one by key, is real.
      setTimeout(() => (hasDragged.current = false));
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || latest === null) return;
      event.stopPropagation();
      end();
    };
    // A long press asks for the context menu, on a slow machine even as the finger starts to move. The tab is already
    // picked up by then: the menu waits until the finger is lifted, and is skipped if it moved.
    const onMenu = (event: globalThis.MouseEvent): void => {
      const held = press.current;
      if (held === null || !held.byTouch || !held.lifted) return end();
      held.hasMenu = true;
      event.preventDefault();
      event.stopPropagation();
    };
    // A picked-up tab follows the finger; the bar must not scroll under it.
    const onTouchMove = (event: TouchEvent): void => {
      if (press.current?.lifted) event.preventDefault();
    };
    bar.addEventListener('touchmove', onTouchMove, { passive: false });
    addEventListener('pointermove', onMove);
    addEventListener('pointerup', onUp);
    addEventListener('pointercancel', end);
    addEventListener('contextmenu', onMenu, true);
    addEventListener('keydown', onKey, true);
    return () => {
      end();
      bar.removeEventListener('touchmove', onTouchMove);
      removeEventListener('pointermove', onMove);
      removeEventListener('pointerup', onUp);
      removeEventListener('pointercancel', end);
      removeEventListener('contextmenu', onMenu, true);
      removeEventListener('keydown', onKey, true);
    };
  }, [tabs, dropAt, list]);

  return {
    dropAt: (id) => (drag?.drop?.at === id ? drag.drop.side : null),
    isDragged: (id) => drag?.dragged === id,
    onPointerDown(event, id) {
      if (event.button !== 0 || !event.isPrimary) return;
      hasDragged.current = false;
      const byTouch = event.pointerType === 'touch';
      const held: Press = {
        id,
        pointerId: event.pointerId,
        x: event.clientX,
        y: event.clientY,
        byTouch,
        lifted: !byTouch,
        hasMenu: false,
        timer: undefined,
      };
      if (byTouch)
        held.timer = setTimeout(() => {
          held.lifted = true;
          setDrag({ dragged: id, drop: null });
        }, holdMs);
      press.current = held;
    },
    swallowsClick: () => hasDragged.current,
  };
}

function openMenu(bar: HTMLElement, id: string, { clientX, clientY }: globalThis.PointerEvent): void {
  const place = { bubbles: true, cancelable: true, clientX, clientY };
  bar.querySelector(`[data-tab="${CSS.escape(id)}"]`)?.dispatchEvent(new MouseEvent('contextmenu', place));
}

const tabBoxes = (bar: HTMLElement) =>
  [...bar.querySelectorAll<HTMLElement>('[role=tab]')].map((tab) => {
    const { left, width } = tab.getBoundingClientRect();
    return { id: tab.dataset['tab'] ?? '', left, width };
  });

function moveTo(tabs: TabsStore, dragged: string, { at, side }: DropPlace): void {
  const { open } = tabs.get();
  const to = open.filter((id) => id !== dragged).indexOf(at) + (side === 'after' ? 1 : 0);
  tabs.move(dragged, to - open.indexOf(dragged));
}

/** The edge of a visible tab that a dragged one is at. */
function paneEdge({ clientX, clientY }: globalThis.PointerEvent, dragged: string): { tab: string; edge: Edge } | null {
  const pane = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-pane]');
  const tab = pane?.dataset['pane'];
  if (!pane || tab === undefined || tab === dragged) return null;
  const { left, top, width, height } = pane.getBoundingClientRect();
  return { tab, edge: nearestEdge((clientX - left) / width, (clientY - top) / height) };
}

/** The edge of a box that is nearest to a point in it, relative to its width and height. */
export function nearestEdge(x: number, y: number): Edge {
  const [acrossX, acrossY] = [Math.abs(x - 0.5), Math.abs(y - 0.5)];
  if (acrossX >= acrossY) return x < 0.5 ? 'left' : 'right';
  return y < 0.5 ? 'top' : 'bottom';
}

export type DropSide = 'before' | 'after';
/** A neighbouring tab, and the side of it. */
type DropPlace = { readonly at: string; readonly side: DropSide };
type TabBox = { readonly id: string; readonly left: number; readonly width: number };

/** The drop position of a tab dragged to `x`; `null` if it is already there. */
export function dropPlace(boxes: readonly TabBox[], dragged: string, x: number): DropPlace | null {
  const others = boxes.filter(({ id }) => id !== dragged);
  const to = others.filter(({ left, width }) => left + width / 2 < x).length;
  if (to === boxes.findIndex(({ id }) => id === dragged)) return null;
  const next = others[to];
  if (next !== undefined) return { at: next.id, side: 'before' };
  const last = others.at(-1);
  return last === undefined ? null : { at: last.id, side: 'after' };
}
