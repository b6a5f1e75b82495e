import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import type { TabsStore } from '../../state/layout/tabs-store.ts';

/** A mouse that moves less than this has clicked. */
const clickSlack = 5;
/** A finger that rests this long takes the tab up; one that moves before that scrolls the bar. */
const holdMs = 250;
/** So near the edge of the bar, a dragged tab scrolls it. */
const edge = 28;

type Drag = { readonly dragged: string; readonly drop: DropPlace | null };
type Press = {
  readonly sessionId: string;
  readonly pointerId: number;
  readonly x: number;
  readonly byTouch: boolean;
  lifted: boolean;
  /** The menu was called for. */
  hasMenu: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
};

type TabDrag = {
  /** Where the dragged tab would come to stand, if it is at this tab. */
  readonly dropAt: (sessionId: string) => DropSide | null;
  readonly isDragged: (sessionId: string) => boolean;
  readonly onPointerDown: (event: PointerEvent, sessionId: string) => void;
  /** Whether a click is only the end of a drag. */
  readonly swallowsClick: () => boolean;
};

/** Moves a tab by dragging it with a mouse, a pen or a finger; the keys do the same in the bar. */
export function useTabDrag(tabs: TabsStore, list: RefObject<HTMLElement | null>): TabDrag {
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
    };
    const onMove = (event: globalThis.PointerEvent): void => {
      const held = press.current;
      if (held === null || held.pointerId !== event.pointerId) return;
      const isFar = Math.abs(event.clientX - held.x) > clickSlack;
      if (held.byTouch && !held.lifted) return isFar ? end() : undefined;
      if (!isFar && latest === null) return;
      hasDragged.current = true;
      const { left, right } = bar.getBoundingClientRect();
      if (event.clientX < left + edge) bar.scrollLeft -= 8;
      else if (event.clientX > right - edge) bar.scrollLeft += 8;
      show({ dragged: held.sessionId, drop: dropPlace(tabBoxes(bar), held.sessionId, event.clientX) });
    };
    const onUp = (event: globalThis.PointerEvent): void => {
      const held = press.current;
      if (held?.pointerId !== event.pointerId) return;
      if (latest?.drop) moveTo(tabs, latest.dragged, latest.drop);
      end();
      if (held.hasMenu && !hasDragged.current) openMenu(bar, held.sessionId, event);
      // The click that ends a drag comes at once; any later one, also a key's, is meant.
      setTimeout(() => (hasDragged.current = false));
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || latest === null) return;
      event.stopPropagation();
      end();
    };
    // A finger that rests calls for the menu after a while, on a busy machine even as it begins to move. The tab is in
    // the hand by then: the menu waits until the finger lets go, and is left out if it moved.
    const onMenu = (event: globalThis.MouseEvent): void => {
      const held = press.current;
      if (held === null || !held.byTouch || !held.lifted) return end();
      held.hasMenu = true;
      event.preventDefault();
      event.stopPropagation();
    };
    // A lifted tab follows the finger; the bar must not scroll under it.
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
  }, [tabs, list]);

  return {
    dropAt: (sessionId) => (drag?.drop?.at === sessionId ? drag.drop.side : null),
    isDragged: (sessionId) => drag?.dragged === sessionId,
    onPointerDown(event, sessionId) {
      if (event.button !== 0 || !event.isPrimary) return;
      hasDragged.current = false;
      const byTouch = event.pointerType === 'touch';
      const held: Press = {
        sessionId,
        pointerId: event.pointerId,
        x: event.clientX,
        byTouch,
        lifted: !byTouch,
        hasMenu: false,
        timer: undefined,
      };
      if (byTouch)
        held.timer = setTimeout(() => {
          held.lifted = true;
          setDrag({ dragged: sessionId, drop: null });
        }, holdMs);
      press.current = held;
    },
    swallowsClick: () => hasDragged.current,
  };
}

function openMenu(bar: HTMLElement, sessionId: string, { clientX, clientY }: globalThis.PointerEvent): void {
  const place = { bubbles: true, cancelable: true, clientX, clientY };
  bar.querySelector(`#${CSS.escape(`tab-${sessionId}`)}`)?.dispatchEvent(new MouseEvent('contextmenu', place));
}

const tabBoxes = (bar: HTMLElement) =>
  [...bar.querySelectorAll<HTMLElement>('[role=tab]')].map((tab) => {
    const { left, width } = tab.getBoundingClientRect();
    return { sessionId: tab.id.slice('tab-'.length), left, width };
  });

function moveTo(tabs: TabsStore, dragged: string, { at, side }: DropPlace): void {
  const { open } = tabs.get();
  const to = open.filter((id) => id !== dragged).indexOf(at) + (side === 'after' ? 1 : 0);
  tabs.move(dragged, to - open.indexOf(dragged));
}

export type DropSide = 'before' | 'after';
/** Beside which tab, and on which side of it. */
type DropPlace = { readonly at: string; readonly side: DropSide };
type TabBox = { readonly sessionId: string; readonly left: number; readonly width: number };

/** Where a tab that is dragged to `x` would come to stand; `null` where that is where it stands already. */
export function dropPlace(boxes: readonly TabBox[], dragged: string, x: number): DropPlace | null {
  const others = boxes.filter(({ sessionId }) => sessionId !== dragged);
  const to = others.filter(({ left, width }) => left + width / 2 < x).length;
  if (to === boxes.findIndex(({ sessionId }) => sessionId === dragged)) return null;
  const next = others[to];
  if (next !== undefined) return { at: next.sessionId, side: 'before' };
  const last = others.at(-1);
  return last === undefined ? null : { at: last.sessionId, side: 'after' };
}
