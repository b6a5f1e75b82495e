import type { ChangedFile, HunkChoice } from '@liminal/contracts';
import {
  actionsOnFile,
  actionsOnHunk,
  discardScope,
  hunkChoice,
  showWhitespace,
  type Possible,
} from './file-actions.ts';
import type { Discarding } from './discard-dialog.tsx';
import { moveChange, moveFile, moveLine, type Movable } from './review-moves.ts';

export type ReviewKeysDeps = Movable & {
  readonly isSplit: boolean;
  readonly onFilter: () => void;
  readonly onDiscard: (discarding: Discarding) => void;
  readonly onCommit: () => void;
  readonly onLeave: () => void;
};

/** The keys of a review, for the list of shortcuts. */
export const reviewKeys: readonly (readonly [keys: string, what: string])[] = [
  ['J K', 'next, previous change'],
  ['N P', 'next, previous file'],
  ['↑ ↓', 'choose lines'],
  ['C', 'comment'],
  ['V', 'viewed'],
  ['S', 'stage'],
  ['D', 'discard'],
  ['M', 'commit'],
];

const editable = 'input:not([type=checkbox]), textarea, select';

/** The action for a key in a review; null if it has none. */
export function keyTask(event: KeyboardEvent, deps: ReviewKeysDeps): (() => void) | null {
  const { review, files } = deps;
  const isWriting = event.target instanceof Element && event.target.closest(`${editable}, dialog`) !== null;
  if (isWriting || event.altKey || event.ctrlKey || event.metaKey) return null;
  const state = review.state.get();
  const { current, selection, query, list } = state;
  const file = files.find(({ path }) => path === current);
  const onFile = (task: (file: ChangedFile) => void) => (): void => {
    if (file !== undefined) task(file);
  };
  const reply = list.phase === 'ready' ? list.reply : null;
  const choiceIn = (path: string): HunkChoice | null => {
    const hunk = hunkOfSelection(deps, path) ?? -1;
    return hunk < 0 ? null : hunkChoice(path, state, hunk);
  };
  /** Says so rather than acting on the whole file. */
  const isRefused = (path: string, choice: HunkChoice | null, { canStage, canUnstage }: Possible): boolean => {
    const isOutside = hunkOfSelection(deps, path) === -1;
    const isWithoutWhitespace = choice?.whitespace === 'ignore' && (canStage || canUnstage);
    if (isOutside) review.actions.say({ text: selectChange, isFailure: true });
    else if (isWithoutWhitespace) review.actions.say({ text: showWhitespace, isFailure: true });
    return isOutside || isWithoutWhitespace;
  };
  switch (event.key) {
    case 'j':
      return () => void moveChange(deps, 1);
    case 'k':
      return () => void moveChange(deps, -1);
    case 'n':
      return () => moveFile(deps, 1);
    case 'p':
      return () => moveFile(deps, -1);
    case 'ArrowDown':
    case 'ArrowUp': {
      // In the file list and on a button, arrow keys keep their usual meaning.
      if (!(event.target instanceof Element) || event.target.closest('.review-files, [role=menu]') !== null)
        return null;
      return selection === null ? null : () => moveLine(deps, event.key === 'ArrowDown' ? 1 : -1, event.shiftKey);
    }
    case 'c':
      return () => void comment(deps);
    case 'v':
      return onFile((at) => review.setViewed(at, !review.isViewed(at)));
    case 'e':
      return onFile((at) => review.turn(at.path));
    case 's':
      return onFile((at) => {
        if (reply === null) return;
        const onHunk = actionsOnHunk(query, reply, at);
        const choice = choiceIn(at.path);
        if (isRefused(at.path, choice, onHunk)) return;
        if (choice !== null && onHunk.canStage) return void review.actions.stage({ hunks: [choice] });
        if (choice !== null && onHunk.canUnstage) return void review.actions.unstage({ hunks: [choice] });
        const { canStage, canUnstage } = actionsOnFile(query, reply, at);
        if (canStage) void review.actions.stage({ paths: [at.path] });
        else if (canUnstage) void review.actions.unstage({ paths: [at.path] });
      });
    case 'd':
      return onFile((at) => {
        if (reply === null || !actionsOnFile(query, reply, at).canDiscard) return;
        const onHunk = actionsOnHunk(query, reply, at);
        const choice = choiceIn(at.path);
        if (isRefused(at.path, choice, onHunk)) return;
        if (choice !== null && onHunk.canDiscard)
          deps.onDiscard({ chosen: { hunks: [choice] }, file: at, scope: 'unstaged' });
        else deps.onDiscard({ chosen: { paths: [at.path] }, file: at, scope: discardScope(query) });
      });
    case 'm':
      return reply?.source === 'git' ? deps.onCommit : null;
    case 'u':
      return () => review.look.update((look) => ({ ...look, isSplit: !look.isSplit }));
    case 't':
      return () => review.look.update((look) => ({ ...look, isTree: !look.isTree }));
    case 'w':
      return () => void review.loader.setWhitespace(review.state.get().whitespace === 'show' ? 'ignore' : 'show');
    case 'f':
      return deps.onFilter;
    case 'Escape':
      return selection === null ? deps.onLeave : () => review.select(null);
  }
  return null;
}

/** Acts on the selected lines, or else on the next change. */
async function comment(deps: ReviewKeysDeps): Promise<void> {
  const { review } = deps;
  if (review.state.get().selection === null) await moveChange(deps, 1);
  const { selection } = review.state.get();
  if (selection !== null) review.comments.begin(selection.path, selection.range);
}

const selectChange = 'The selected line is in no hunk. Select a line of a change, or none.';

/**
 * The hunk of a file's selected lines, by what is shown now: its patch may have changed since they were selected. Null
 * if none are selected, -1 if they are in no hunk.
 */
function hunkOfSelection({ review }: ReviewKeysDeps, path: string): number | null {
  const { selection, bodies } = review.state.get();
  const body = bodies.get(path);
  if (selection?.path !== path || body?.phase !== 'ready' || body.patch === null) return null;
  const place = body.patch.find(selection.range.side, selection.range.to);
  return place < 0 ? -1 : body.patch.index.hunks.findLastIndex((start) => start <= place);
}
