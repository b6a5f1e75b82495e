import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import type { WindowHandle } from '../../rendering/lists/window-list.tsx';
import type { TreeRow } from '../../state/files/tree-store.ts';

/** The row that last had the focus, and the file that was open then. */
type Spot = { readonly key: string; readonly active: string | null; readonly hasFocus: boolean };

/**
 * Decides which row of a tree has the focus, and which one Tab moves to. Both survive a refresh of the tree. If the row
 * is gone, the one that took its place gets the focus.
 */
export function useTreeFocus(rows: readonly TreeRow[], active: string | null, isShown: boolean) {
  const list = useRef<WindowHandle>(null);
  const [spot, setSpot] = useState<Spot | null>(null);
  const [sought, setSought] = useState<{ readonly key: string } | null>(null);
  const indexOf = (key: string | null): number => rows.findIndex((row) => row.key === key);
  // The row that had the focus, unless another file was opened since.
  const held = spot !== null && (spot.hasFocus || spot.active === active) ? indexOf(spot.key) : -1;
  const current = held >= 0 ? held : Math.max(0, indexOf(active));

  const focusAt = (index: number): void => {
    const { key } = rows[index] ?? {};
    if (key === undefined) return;
    list.current?.scrollTo(key, 'nearest');
    setSpot({ key, active, hasFocus: true });
    setSought({ key });
  };
  // In a layout effect, because until a later frame keys would still go to the previous row.
  useLayoutEffect(() => {
    if (sought !== null) list.current?.focusRow(sought.key);
  }, [sought]);

  const before = useRef(rows);
  const restore = useEffectEvent(() => {
    const old = before.current;
    before.current = rows;
    if (spot?.hasFocus !== true || document.activeElement !== document.body || indexOf(spot.key) >= 0) return;
    const from = old.findIndex(({ key }) => key === spot.key);
    const above = old.slice(0, Math.max(0, from)).findLast(({ key }) => indexOf(key) >= 0);
    focusAt(Math.min(indexOf(above?.key ?? null) + 1, rows.length - 1));
  });
  useLayoutEffect(() => restore(), [rows]);

  /** If nothing has the focus, gives it to the row that Tab moves to. */
  const focusIfLost = (): void => {
    const { key } = rows[current] ?? {};
    if (key !== undefined && document.activeElement === document.body) list.current?.focusRow(key);
  };
  // A view opened by keyboard takes the focus; typing elsewhere keeps it.
  const onShown = useEffectEvent(focusIfLost);
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown]);

  return {
    list,
    current,
    focusAt,
    focusIfLost,
    onFocus: (key: string): void => {
      if (spot?.key !== key || spot.active !== active || !spot.hasFocus) setSpot({ key, active, hasFocus: true });
    },
    onBlur: (event: FocusEvent): void => {
      // The user switched to another window. The row keeps its focus for the return.
      if (document.activeElement === event.target) return;
      setSpot((now) => now && { ...now, hasFocus: false });
    },
  };
}
