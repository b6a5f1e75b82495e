export type DropSide = 'before' | 'after';
/** Beside which tab, and on which side of it. */
export type DropPlace = { readonly at: string; readonly side: DropSide };
export type TabBox = { readonly sessionId: string; readonly left: number; readonly width: number };

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
