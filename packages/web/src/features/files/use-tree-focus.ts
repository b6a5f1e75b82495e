import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import type { WindowHandle } from '../../rendering/lists/window-list.tsx';
import type { TreeRow } from '../../state/files/tree-store.ts';

/** The row that had the focus last, and the file that was open then. */
type Spot = { readonly key: string; readonly active: string | null; readonly hasFocus: boolean };

/**
 * Which row of a tree has the focus, and which one Tab leads to. A tree that is read again keeps both: where the row is
 * gone, the one that is now in its place has the focus.
 */
export function useTreeFocus(rows: readonly TreeRow[], active: string | null, isShown: boolean) {
  const list = useRef<WindowHandle>(null);
  const [spot, setSpot] = useState<Spot | null>(null);
  const [sought, setSought] = useState<{ readonly key: string } | null>(null);
  const indexOf = (key: string | null): number => rows.findIndex((row) => row.key === key);
  // Where the focus was, unless another file was opened since: then it is there.
  const held = spot !== null && (spot.hasFocus || spot.active === active) ? indexOf(spot.key) : -1;
  const current = held >= 0 ? held : Math.max(0, indexOf(active));

  const focusAt = (index: number): void => {
    const { key } = rows[index] ?? {};
    if (key === undefined) return;
    list.current?.scrollTo(key, 'nearest');
    setSpot({ key, active, hasFocus: true });
    setSought({ key });
  };
  // With the row that it is about, and not in a later frame: until then, keys would still go to the row before.
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

  /** For when the focus may have been lost: it goes to the row that Tab leads to. */
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
      // Another window has the focus: the row gets it back with this one.
      if (document.activeElement === event.target) return;
      setSpot((now) => now && { ...now, hasFocus: false });
    },
  };
}
