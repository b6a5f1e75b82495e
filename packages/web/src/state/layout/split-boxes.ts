import type { Border, Split } from './splits.ts';

/** A part of the work area, relative to its width and height. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
export type PaneBox = { readonly tab: string; readonly box: Box };
/** A border with the combined box of the two parts next to it. */
export type BorderBox = { readonly border: Border; readonly box: Box; readonly ratio: number };

/** The boxes of a split's panes and borders. They are siblings in the DOM: none is recreated when others move. */
export function boxesOf({ columns }: Split): {
  readonly panes: readonly PaneBox[];
  readonly borders: readonly BorderBox[];
} {
  const panes: PaneBox[] = [];
  const borders: BorderBox[] = [];
  const widths = spans(columns);
  columns.forEach((column, at) => {
    const { start: x = 0, size: width = 0 } = widths[at] ?? {};
    const next = widths[at + 1];
    if (next !== undefined)
      borders.push({
        border: { column: at },
        box: { x, y: 0, width: width + next.size, height: 1 },
        ratio: width / (width + next.size),
      });
    const heights = spans(column.panes);
    column.panes.forEach(({ tab }, place) => {
      const { start: y = 0, size: height = 0 } = heights[place] ?? {};
      const below = heights[place + 1];
      panes.push({ tab, box: { x, y, width, height } });
      if (below !== undefined)
        borders.push({
          border: { column: at, pane: place },
          box: { x, y, width, height: height + below.size },
          ratio: height / (height + below.size),
        });
    });
  });
  return { panes, borders };
}

function spans(parts: ReadonlyArray<{ readonly share: number }>): Array<{ start: number; size: number }> {
  const all = parts.reduce((sum, { share }) => sum + share, 0);
  let start = 0;
  return parts.map(({ share }) => {
    const span = { start, size: share / all };
    start += span.size;
    return span;
  });
}
