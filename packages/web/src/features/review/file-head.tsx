import type { ReactNode } from 'react';
import type { ChangedFile } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { isCollapsed, isViewed, type ReviewState } from '../../state/review/review-state.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { changeWords } from './change-words.ts';
import type { Discarding } from './discard-dialog.tsx';
import { actionsOnFile, discardScope } from './file-actions.ts';
import { useReviewState, useReviewStore } from './use-review.ts';

type FileHeadProps = { readonly file: ChangedFile; readonly onDiscard: (discarding: Discarding) => void };

/** The header of a file: its name, what happened to it, and actions on the whole file. */
export function FileHead({ file, onDiscard }: FileHeadProps): ReactNode {
  const review = useReviewStore();
  const state = useReviewState();
  const { openPath } = useWorkbench();
  const { session } = review;
  const { path, oldPath, additions, deletions } = file;
  const isClosed = isCollapsed(state, file);
  const reply = state.list.phase === 'ready' ? state.list.reply : null;
  const possible = reply === null ? null : actionsOnFile(state.query, reply, file);
  const slash = path.lastIndexOf('/') + 1;
  const chosen = { paths: [path] };
  const facts = [
    changeWords(file),
    file.kind === 'link' ? 'link' : file.kind === 'submodule' ? 'submodule' : '',
    file.binary ? `binary, ${formatBytes(file.size)}` : '',
    file.bySession ? '' : 'not changed by this session',
    file.staged === 'yes' ? 'staged' : file.staged === 'partly' ? 'partly staged' : '',
  ].filter((fact) => fact !== '');
  return (
    <div className={state.current === path ? 'review-head review-head-current' : 'review-head'}>
      <IconButton
        label={`${isClosed ? 'Expand' : 'Collapse'} ${showHidden(path)}`}
        aria-expanded={!isClosed}
        onClick={() => review.turn(path)}
      >
        <span className={isClosed ? 'review-chevron' : 'review-chevron review-chevron-open'}>
          <Icon name="chevron" size={14} />
        </span>
      </IconButton>
      <h2 className="review-path" title={showHidden(path)}>
        <bdi>
          <span className="review-folder">{showHidden(path.slice(0, slash))}</span>
          {showHidden(path.slice(slash))}
        </bdi>
      </h2>
      <span className="review-counts">
        {additions !== undefined && <span className="diff-added">+{additions}</span>}{' '}
        {deletions !== undefined && <span className="diff-removed">−{deletions}</span>}
      </span>
      <span className="review-facts">
        {oldPath !== undefined && `from ${showHidden(oldPath)} · `}
        {facts.join(' · ')}
      </span>
      <span className="review-head-actions">
        <CopyButton label="Copy path" text={() => path} />
        {file.change !== 'deleted' && file.kind === undefined && (
          <IconButton
            label="Open file"
            onClick={() => openPath(session.sessionId, { path, line: lineOf(state, path) })}
          >
            <Icon name="read" />
          </IconButton>
        )}
        {possible?.canDiscard === true && (
          <Button
            look="quiet"
            disabled={state.isBusy}
            onClick={() => onDiscard({ chosen, file, scope: discardScope(state.query) })}
          >
            Discard…
          </Button>
        )}
        {possible?.canUnstage === true && (
          <Button look="quiet" disabled={state.isBusy} onClick={() => void review.actions.unstage(chosen)}>
            Unstage file
          </Button>
        )}
        {possible?.canStage === true && (
          <Button look="quiet" disabled={state.isBusy} onClick={() => void review.actions.stage(chosen)}>
            Stage file
          </Button>
        )}
        <label className="review-viewed">
          <input
            type="checkbox"
            checked={isViewed(state, file)}
            onChange={(event) => review.setViewed(file, event.target.checked)}
          />
          Viewed
        </label>
      </span>
    </div>
  );
}

/** The selected line, or else the first change. */
function lineOf({ selection, bodies }: ReviewState, path: string): number {
  if (selection?.path === path && selection.range.side === 'new') return selection.range.from;
  const body = bodies.get(path);
  return Math.max(1, body?.phase === 'ready' ? (body.reply.hunks[0]?.newStart ?? 1) : 1);
}
