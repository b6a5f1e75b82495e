import type { ChangedFile } from '@liminal/contracts';
import { extendRange, refOf } from '../../rendering/diff/line-ref.ts';
import type { Patch } from '../../rendering/diff/patch.ts';
import type { WindowHandle } from '../../rendering/lists/window-list.tsx';
import type { ReviewStore } from '../../state/review/review-store.ts';
import { isCollapsed } from '../../state/review/review-state.ts';
import type { ReviewPlace } from '../../state/review/review-place.ts';
import { holds, type ReviewRow } from './review-rows.ts';

/** Runs a task once the requested rows are drawn. */
const afterDrawing = (task: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(task));

const listedFile = (review: ReviewStore, path: string): ChangedFile | undefined => {
  const { list } = review.state.get();
  return list.phase === 'ready' ? list.reply.files.find((file) => file.path === path) : undefined;
};

/** Shows the target of a link or a key: a scope, a file, a line. */
export async function goTo(
  review: ReviewStore,
  changes: () => WindowHandle | null,
  { scope, turnId, path, line, side = 'new', isLoose = false }: ReviewPlace,
): Promise<void> {
  const { query } = review.state.get();
  if (path !== undefined) review.change({ filter: '' });
  await review.loader.show(scope === undefined ? query : { scope, ...(turnId !== undefined && { turnId }) });
  if (path === undefined) return;
  for (const other of ['session', 'uncommitted'] as const)
    if (isLoose && listedFile(review, path) === undefined) await review.loader.show({ scope: other });
  const file = listedFile(review, path);
  if (file === undefined) {
    review.actions.say({ text: `“${path}” has no changes here.`, isFailure: true });
    return;
  }
  await openFile(review, file);
  afterDrawing(() => {
    changes()?.scrollTo(path);
    if (line !== undefined) selectLine(review, path, side, line);
  });
}

async function openFile(review: ReviewStore, file: ChangedFile): Promise<Patch | null> {
  if (isCollapsed(review.state.get(), file)) review.turn(file.path);
  review.change({ current: file.path });
  await review.loader.need(file.path);
  const body = review.state.get().bodies.get(file.path);
  return body?.phase === 'ready' ? body.patch : null;
}

function selectLine(review: ReviewStore, path: string, side: 'old' | 'new', line: number): void {
  const body = review.state.get().bodies.get(path);
  const patch = body?.phase === 'ready' ? body.patch : null;
  const place = patch?.find(side, line) ?? -1;
  if (place < 0) return;
  review.select({ path, range: { side, from: line, to: line }, head: place });
  showSelection();
}

/** Scrolls the selected line into view. */
function showSelection(): void {
  afterDrawing(() => {
    const chosen = [...document.querySelectorAll('.review .diff-chosen')].at(-1);
    const list = chosen?.closest('.window-list');
    if (!chosen || !list) return;
    const [line, window] = [chosen.getBoundingClientRect(), list.getBoundingClientRect()];
    // The file's sticky header covers the first lines.
    if (line.top < window.top + 64 || line.bottom > window.bottom - 24) chosen.scrollIntoView({ block: 'center' });
  });
}

export type Movable = {
  readonly review: ReviewStore;
  readonly rows: readonly ReviewRow[];
  readonly files: readonly ChangedFile[];
  readonly changes: WindowHandle | null;
};

const patchOf = (review: ReviewStore, path: string): Patch | null => {
  const body = review.state.get().bodies.get(path);
  return body?.phase === 'ready' ? body.patch : null;
};

function choose({ review, rows, changes }: Movable, path: string, patch: Patch, place: number, isMore: boolean): void {
  const ref = refOf(patch.line(place));
  if (ref === null) return;
  const { selection } = review.state.get();
  const before = selection?.path === path ? selection.range : null;
  review.select({ path, range: extendRange(before, ref, isMore), head: place });
  const row = rows.find((each) => each.kind === 'lines' && each.patch === patch && holds(each, place));
  if (row) changes?.scrollTo(row.key, 'nearest');
  // A file that was just loaded has no rows yet.
  else afterDrawing(() => changes?.scrollTo(path, 'nearest'));
  showSelection();
}

/** The next line in reading order; with Shift, extends the selection. */
export function moveLine(movable: Movable, step: 1 | -1, isMore: boolean): void {
  const { review } = movable;
  const { selection } = review.state.get();
  const patch = selection === null ? null : patchOf(review, selection.path);
  if (selection === null || patch === null) return void moveChange(movable, step);
  const { order } = patch.index;
  const next = order[order.indexOf(selection.head) + step];
  if (next !== undefined) choose(movable, selection.path, patch, next, isMore);
}

/** The first line of the next run of changed lines, in this file or the next one that has any. */
export async function moveChange(movable: Movable, step: 1 | -1): Promise<void> {
  const { review, files, changes } = movable;
  const { selection, current } = review.state.get();
  const at = selection?.path ?? current ?? '';
  const from = files.findIndex(({ path }) => path === at);
  const file = files[from];
  const { phase = 'loading' } = review.state.get().bodies.get(at) ?? {};
  if (file !== undefined && phase === 'loading' && !review.isViewed(file)) {
    await openFile(review, file);
    // Unless the answer was ignored because the view has changed.
    if (review.state.get().bodies.has(at)) return moveChange(movable, step);
  }
  const patch = patchOf(review, at);
  if (from >= 0 && patch !== null) {
    const starts = runStarts(patch);
    const head = selection === null ? -1 : patch.index.order.indexOf(selection.head);
    const next = step > 0 ? starts.find((start) => start > head) : starts.findLast((start) => start < head);
    const place = next === undefined ? undefined : patch.index.order[next];
    if (place !== undefined) return choose(movable, at, patch, place, false);
  }
  const start = from < 0 ? (step > 0 ? 0 : files.length - 1) : from + step;
  for (let index = start; files[index] !== undefined; index += step) {
    const next = files[index];
    if (next === undefined || review.isViewed(next)) continue;
    const opened = await openFile(review, next);
    const runs = opened === null ? [] : runStarts(opened);
    const place = opened?.index.order[(step > 0 ? runs[0] : runs.at(-1)) ?? -1];
    if (opened === null || place === undefined) continue;
    changes?.scrollTo(next.path, 'nearest');
    return choose(movable, next.path, opened, place, false);
  }
  return undefined;
}

/** Where runs of changed lines start, in reading order. */
function runStarts({ index: { kinds, order, hunks } }: Patch): number[] {
  const isHunk = new Set(hunks);
  const starts: number[] = [];
  for (let row = 0; row < order.length; row += 1) {
    const isChanged = kinds[order[row] ?? 0] !== 0;
    const wasChanged = row > 0 && !isHunk.has(row) && kinds[order[row - 1] ?? 0] !== 0;
    if (isChanged && !wasChanged) starts.push(row);
  }
  return starts;
}

/** The next file, or the previous one. */
export function moveFile({ review, files, changes }: Movable, step: 1 | -1): void {
  const from = files.findIndex(({ path }) => path === review.state.get().current);
  const file = files[from < 0 ? 0 : Math.min(Math.max(from + step, 0), files.length - 1)];
  if (file === undefined) return;
  review.change({ current: file.path, selection: null });
  changes?.scrollTo(file.path);
}
