import type { ChangedFile, PatchHunk, ReviewComment } from '@liminal/contracts';
import { refOf } from '../../rendering/diff/line-ref.ts';
import type { Patch } from '../../rendering/diff/patch.ts';
import { gapKey } from '../../state/review/review-loader.ts';
import {
  isCollapsed,
  isSameQuery,
  type Editing,
  type FileBody,
  type ReviewState,
} from '../../state/review/review-state.ts';

/** One row of a review. Rows are small and many: only visible ones are drawn. */
export type ReviewRow =
  | { readonly kind: 'file'; readonly key: string; readonly file: ChangedFile }
  /** Comments of the file that belong to no shown line, saved ones and those being written. */
  | {
      readonly kind: 'comments';
      readonly key: string;
      readonly file: ChangedFile | null;
      readonly comments: readonly ReviewComment[];
      readonly editing: readonly Editing[];
    }
  /** Nothing to show, or not loaded yet. */
  | { readonly kind: 'note'; readonly key: string; readonly file: ChangedFile; readonly body: FileBody | undefined }
  /** The header of a hunk, with the number of hidden lines before it. The last one is the end of the file. */
  | {
      readonly kind: 'gap';
      readonly key: string;
      readonly file: ChangedFile;
      readonly hunk: number;
      readonly hidden: number;
      readonly isEnd: boolean;
    }
  | {
      readonly kind: 'lines';
      readonly key: string;
      readonly file: ChangedFile;
      readonly patch: Patch;
      readonly isSplit: boolean;
      readonly from: number;
      readonly to: number;
    };

/** How many lines are drawn together. */
const chunk = 40;

/** The parts of a review's state that its rows depend on. */
export type RowsState = Pick<ReviewState, 'query' | 'bodies' | 'whole' | 'gaps' | 'turned' | 'viewed' | 'editing'>;

export type RowsInput = {
  readonly files: readonly ChangedFile[];
  readonly state: RowsState;
  readonly isSplit: boolean;
  readonly comments: readonly ReviewComment[];
  /** Every path in the list, regardless of the filter. */
  readonly listed: ReadonlySet<string>;
};

/** Every row of a review, from its first file to its last. */
export function rowsOf({ files, state, isSplit, comments, listed }: RowsInput): ReviewRow[] {
  const rows: ReviewRow[] = [];
  const byPath = Map.groupBy(comments, ({ path }) => path);
  const written = withoutCard(state.editing, comments);
  for (const file of files) {
    rows.push({ kind: 'file', key: file.path, file });
    if (isCollapsed(state, file)) continue;
    const body = state.bodies.get(file.path);
    const patch = body?.phase === 'ready' ? body.patch : null;
    const start = rows.length;
    if (body?.phase !== 'ready' || patch === null || patch.index.kinds.length === 0)
      rows.push({ kind: 'note', key: `${file.path}#0`, file, body });
    else pushHunks(rows, file, state, body.reply.hunks, patch, isSplit);
    const shown = rows.slice(start);
    const loose = (byPath.get(file.path) ?? []).filter((comment) => !isCommentIn(shown, comment));
    const editing = written.filter(
      (each) => each.path === file.path && !(isSameQuery(each.query, state.query) && isShownIn(shown, each)),
    );
    if (loose.length > 0 || editing.length > 0)
      rows.splice(start, 0, { kind: 'comments', key: `${file.path}#comments`, file, comments: loose, editing });
  }
  const others = comments.filter(({ path, state: stands }) => !listed.has(path) && stands !== 'resolved');
  const editing = written.filter(({ path }) => !listed.has(path));
  if (others.length > 0 || editing.length > 0)
    rows.push({ kind: 'comments', key: '#others', file: null, comments: others, editing });
  return rows;
}

/** New comments that are being written, and edits of comments that are gone: no card shows their editors. */
export const withoutCard = (editing: readonly Editing[], comments: readonly ReviewComment[]): Editing[] =>
  editing.filter((each) => !comments.some(({ commentId }) => commentId === each.commentId));

type LinesRow = Extract<ReviewRow, { kind: 'lines' }>;

/** The row that shows a line, and the line's place in its patch. */
function findLine(rows: readonly ReviewRow[], side: 'old' | 'new', line: number) {
  for (const row of rows) {
    const place = row.kind === 'lines' ? row.patch.find(side, line) : -1;
    if (row.kind === 'lines' && place >= 0 && holds(row, place)) return { patch: row.patch, place };
  }
  return undefined;
}

function isShownIn(rows: readonly ReviewRow[], { range: { side, to }, commentId }: Editing): boolean {
  const found = commentId === undefined ? findLine(rows, side, to) : undefined;
  return found !== undefined && refOf(found.patch.line(found.place))?.side === side;
}

function isCommentIn(rows: readonly ReviewRow[], comment: ReviewComment): boolean {
  const found = findLine(rows, comment.side, comment.endLine);
  return found !== undefined && isOnLine(found.patch, comment);
}

/** Whether a row shows a line of its patch. */
export function holds({ patch, isSplit, from, to }: LinesRow, place: number): boolean {
  const places = isSplit ? patch.index.pairs.subarray(2 * from, 2 * to) : patch.index.order.subarray(from, to);
  return places.includes(place);
}

/** Whether a comment's line is in a patch and is still the line it was written on. */
export function isOnLine(patch: Patch, { side, endLine, quote, outdated }: ReviewComment): boolean {
  if (outdated) return false;
  const place = patch.find(side, endLine);
  if (place < 0) return false;
  // An unchanged line always counts as one of the new side.
  if (side === 'old' && patch.line(place).kind === 'same') return false;
  const last = quote.replace(/\n$/, '').split('\n').at(-1) ?? '';
  return quote === '' || patch.line(place).text === last;
}

function pushHunks(
  rows: ReviewRow[],
  file: ChangedFile,
  state: RowsState,
  hunks: readonly PatchHunk[],
  patch: Patch,
  wantsSplit: boolean,
): void {
  const { index } = patch;
  const isSplit = wantsSplit && index.kinds.includes(1) && index.kinds.includes(2);
  const starts = isSplit ? index.pairHunks : index.hunks;
  const whole = state.whole.get(file.path);
  let next = 1;
  const lines = (of: Patch, split: boolean, from: number, to: number, name: string): void => {
    for (let at = from; at < to; at += chunk)
      rows.push({
        kind: 'lines',
        key: `${file.path}#${name}.${at - from}`,
        file,
        patch: of,
        isSplit: split,
        from: at,
        to: Math.min(at + chunk, to),
      });
  };
  /** Unchanged lines of the whole file, by their numbers on the new side. */
  const unchanged = (from: number, to: number, name: string): void => {
    if (whole === undefined || to <= from) return;
    const place = whole.find('new', from);
    if (place < 0) return;
    const row = isSplit ? rowOfLine(whole, place) : place;
    lines(whole, isSplit, row, row + to - from, name);
  };
  const gap = (hunk: number, from: number, to: number, isEnd: boolean): void => {
    const opened = state.gaps.get(gapKey(file.path, hunk)) ?? { fromTop: 0, fromBottom: 0 };
    const top = Math.min(to, from + opened.fromTop);
    const bottom = Math.max(top, to - opened.fromBottom);
    unchanged(from, top, `t${hunk}`);
    rows.push({ kind: 'gap', key: `${file.path}#g${hunk}`, file, hunk, hidden: bottom - top, isEnd });
    unchanged(bottom, to, `b${hunk}`);
  };
  for (const [number, { newStart, newLines }] of hunks.entries()) {
    const start = newLines === 0 ? newStart + 1 : newStart;
    gap(number, next, start, false);
    lines(patch, isSplit, starts[number] ?? 0, starts[number + 1] ?? 0, `h${number}`);
    next = start + newLines;
  }
  // The length of the file is known only once it was loaded in full.
  const last = whole === undefined ? next : lastNewLine(whole) + 1;
  const mayGoOn = file.change !== 'added' && file.change !== 'deleted' && (whole === undefined || last > next);
  if (mayGoOn) gap(hunks.length, next, last, true);
}

function rowOfLine(patch: Patch, place: number): number {
  const { pairs } = patch.index;
  for (let row = 0; 2 * row < pairs.length; row += 1) if (pairs[2 * row + 1] === place) return row;
  return 0;
}

function lastNewLine({ index: { newLines } }: Patch): number {
  for (let place = newLines.length - 1; place >= 0; place -= 1)
    if ((newLines[place] ?? 0) > 0) return newLines[place] ?? 0;
  return 0;
}

const lineHeight = 18;

/** The approximate height of a row. */
export function heightOf(row: ReviewRow): number {
  switch (row.kind) {
    case 'file':
      return 49;
    case 'comments':
      return 100 * row.comments.length + 170 * row.editing.length;
    case 'note': {
      if (row.body?.phase === 'ready' || row.body?.phase === 'failed' || row.file.binary) return 56;
      const { additions = 20, deletions = 0 } = row.file;
      return Math.min(additions + deletions + 8, 5000) * lineHeight + 32;
    }
    case 'gap':
      return 32;
    case 'lines':
      return (row.to - row.from) * lineHeight;
  }
}
