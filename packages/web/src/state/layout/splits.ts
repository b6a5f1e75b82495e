/** A tab in a split, and its share of its column. */
export type SplitPane = { readonly tab: string; readonly share: number };
export type SplitColumn = { readonly share: number; readonly panes: readonly SplitPane[] };
/** Tabs shown together: columns from left to right, each with panes from top to bottom. */
export type Split = { readonly columns: readonly SplitColumn[] };
export type Edge = 'left' | 'right' | 'top' | 'bottom';
/** A movable border: after a column, or after a pane in it. */
export type Border = { readonly column: number; readonly pane?: number };

const [mostColumns, mostPanes] = [4, 3];
/** The smallest share that either of two neighbours can get. */
const leastShare = 0.2;

export const tabsOfSplit = ({ columns }: Split): readonly string[] =>
  columns.flatMap(({ panes }) => panes.map(({ tab }) => tab));

export const splitOf = (splits: readonly Split[], tab: string | null): Split | undefined =>
  splits.find((split) => tab !== null && tabsOfSplit(split).includes(tab));

const alone = (tab: string): SplitColumn => ({ share: 1, panes: [{ tab, share: 1 }] });

/** Valid splits only: none empty, none with a single tab. */
const kept = (splits: readonly Split[]): Split[] =>
  splits
    .map(({ columns }) => ({ columns: columns.filter(({ panes }) => panes.length > 0) }))
    .filter((split) => tabsOfSplit(split).length > 1);

/** Removes a tab from its split; its neighbours share the space. */
export const withoutTab = (splits: readonly Split[], tab: string): Split[] =>
  kept(
    splits.map(({ columns }) => ({
      columns: columns.map((column) => ({ ...column, panes: column.panes.filter((pane) => pane.tab !== tab) })),
    })),
  );

/** Puts a tab at an edge of another one, out of any split it was in. Changes nothing if there is no more space. */
export function withTabAt(splits: readonly Split[], tab: string, beside: string, edge: Edge): readonly Split[] {
  if (tab === beside) return splits;
  const rest = withoutTab(splits, tab);
  const held = splitOf(rest, beside);
  const { columns } = held ?? { columns: [alone(beside)] };
  const at = columns.findIndex(({ panes }) => panes.some((pane) => pane.tab === beside));
  const column = columns[at];
  if (column === undefined) return splits;
  const next = edge === 'left' || edge === 'right' ? newColumn() : newPane();
  if (next === null) return splits;
  return held === undefined ? [...rest, next] : rest.map((split) => (split === held ? next : split));

  function newColumn(): Split | null {
    if (columns.length >= mostColumns || column === undefined) return null;
    const share = column.share / 2;
    const parts = [
      { ...column, share },
      { ...alone(tab), share },
    ];
    return { columns: scaled(columns.toSpliced(at, 1, ...(edge === 'left' ? parts.toReversed() : parts))) };
  }
  function newPane(): Split | null {
    const { panes } = column ?? { panes: [] };
    const place = panes.findIndex((pane) => pane.tab === beside);
    const pane = panes[place];
    if (panes.length >= mostPanes || column === undefined || pane === undefined) return null;
    const share = pane.share / 2;
    const parts = [
      { ...pane, share },
      { tab, share },
    ];
    const filled = scaled(panes.toSpliced(place, 1, ...(edge === 'top' ? parts.toReversed() : parts)));
    return { columns: columns.with(at, { ...column, panes: filled }) };
  }
}

/** Normalises shares, so none becomes too small however often tabs come and go. */
function scaled<T extends { readonly share: number }>(parts: readonly T[]): readonly T[] {
  const mean = parts.reduce((sum, { share }) => sum + share, 0) / parts.length;
  return parts.map((part) => ({ ...part, share: part.share / mean }));
}

/** The tab got another id. */
export const withRenamed = (splits: readonly Split[], from: string, to: string): Split[] =>
  splits.map(({ columns }) => ({
    columns: columns.map((column) => ({
      ...column,
      panes: column.panes.map((pane) => (pane.tab === from ? { ...pane, tab: to } : pane)),
    })),
  }));

/** Moves a border; `ratio` is the share of the part before it. */
export function withBorderAt(split: Split, { column, pane }: Border, ratio: number): Split {
  const { columns } = split;
  if (pane === undefined) return { columns: shared(columns, column, ratio) };
  const held = columns[column];
  return held === undefined
    ? split
    : { columns: columns.with(column, { ...held, panes: shared(held.panes, pane, ratio) }) };
}

function shared<T extends { readonly share: number }>(parts: readonly T[], at: number, ratio: number): readonly T[] {
  const [before, after] = [parts[at], parts[at + 1]];
  if (before === undefined || after === undefined) return parts;
  const both = before.share + after.share;
  const first = both * Math.min(1 - leastShare, Math.max(leastShare, ratio));
  return parts.with(at, { ...before, share: first }).with(at + 1, { ...after, share: both - first });
}

/** Reads splits from storage, including earlier versions: a pair of tabs with the left one's share. */
export function readSplits(value: unknown, open: readonly string[]): Split[] {
  const free = new Set(open);
  const read = (Array.isArray(value) ? value : [value]).map((split): Split => {
    const { columns, left, right, ratio } = (split ?? {}) as Record<string, unknown>;
    const share = Math.min(0.8, Math.max(0.2, asShare(ratio ?? 0.5)));
    const pair = [
      { share, panes: [{ tab: left }] },
      { share: 1 - share, panes: [{ tab: right }] },
    ];
    return {
      columns: asList(columns ?? pair)
        .slice(0, mostColumns)
        .map(readColumn),
    };
  });
  return kept(read);

  function readColumn(column: unknown): SplitColumn {
    const { share, panes } = (column ?? {}) as Record<string, unknown>;
    const readPanes = asList(panes).flatMap((pane): SplitPane[] => {
      const { tab, share: part } = (pane ?? {}) as Record<string, unknown>;
      // A tab can be in one place only.
      return typeof tab === 'string' && free.delete(tab) ? [{ tab, share: asShare(part) }] : [];
    });
    return { share: asShare(share), panes: readPanes.slice(0, mostPanes) };
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asShare = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0.001 && value <= 1000 ? value : 1;
