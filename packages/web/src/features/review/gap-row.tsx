import type { ReactNode } from 'react';
import type { ChangedFile } from '@liminal/contracts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Discarding } from './discard-dialog.tsx';
import { actionsOnHunk, hunkChoice, showWhitespace } from './file-actions.ts';
import { useReviewState, useReviewStore } from './use-review.ts';

type GapRowProps = {
  readonly file: ChangedFile;
  readonly hunk: number;
  readonly hidden: number;
  readonly isEnd: boolean;
  readonly onDiscard: (discarding: Discarding) => void;
};

/** How many lines one click shows; a longer gap gets a second button. */
const few = 40;

/** The header of a hunk: the number of hidden lines before it, and actions on this hunk. */
export function GapRow({ file, hunk, hidden, isEnd, onDiscard }: GapRowProps): ReactNode {
  const review = useReviewStore();
  const state = useReviewState();
  const { query, list, whole, whitespace } = state;
  const reply = list.phase === 'ready' ? list.reply : null;
  const possible = reply === null || isEnd ? null : actionsOnHunk(query, reply, file);
  const choice = hunkChoice(file.path, state, hunk);
  const isPartial = whitespace === 'ignore';
  const isDisabled = state.isBusy || isPartial;
  const isUnknown = isEnd && !whole.has(file.path);
  const open = (isAll: boolean): void => void review.openGap(file.path, hunk, hidden, isAll);
  const hasActions = choice !== null && (possible?.canStage === true || possible?.canUnstage === true);
  if (hidden === 0 && !isUnknown && !hasActions) return hunk === 0 || isEnd ? null : <div className="review-gap" />;
  return (
    <div className="review-gap">
      {(hidden > 0 || isUnknown) && (
        <Button look="quiet" onClick={() => open(false)}>
          <Icon name="unfold" size={12} />
          {isUnknown ? 'Show lines below' : `Show ${hidden > few ? 'some of ' : ''}${plural(hidden, 'unchanged line')}`}
        </Button>
      )}
      {hidden > few && (
        <Button look="quiet" onClick={() => open(true)}>
          Show all
        </Button>
      )}
      {hasActions && (
        <span className="review-gap-actions" title={isPartial ? showWhitespace : undefined}>
          {possible?.canDiscard === true && (
            <Button
              look="quiet"
              disabled={isDisabled}
              onClick={() => onDiscard({ chosen: { hunks: [choice] }, file, scope: 'unstaged' })}
            >
              Discard hunk…
            </Button>
          )}
          {possible?.canUnstage === true && (
            <Button look="quiet" disabled={isDisabled} onClick={() => void review.actions.unstage({ hunks: [choice] })}>
              Unstage hunk
            </Button>
          )}
          {possible?.canStage === true && (
            <Button look="quiet" disabled={isDisabled} onClick={() => void review.actions.stage({ hunks: [choice] })}>
              Stage hunk
            </Button>
          )}
        </span>
      )}
    </div>
  );
}
