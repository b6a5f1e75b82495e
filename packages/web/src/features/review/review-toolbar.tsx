import { useEffect, useState, type ReactNode } from 'react';
import type { ChangedFile, ChangeScope } from '@liminal/contracts';
import { isViewed } from '../../state/review/review-state.ts';
import { usePermissions, useSession } from '../../state/sessions/use-session.ts';
import { useCell, useDirectoryFact, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { splitPath } from '../../ui/folders/folder-path.ts';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { halfScopes, isUncommitted, mainScopes, scopeName } from './scopes.ts';
import { useReviewState, useReviewStore } from './use-review.ts';

type ReviewToolbarProps = {
  readonly files: readonly ChangedFile[];
  /** The width that fits everything in one row. */
  readonly isWide: boolean;
  readonly canSplit: boolean;
  readonly isListOpen: boolean;
  readonly onList: () => void;
  readonly onCommit: () => void;
};

/** What is compared, and how it is shown. */
export function ReviewToolbar({
  files,
  isWide,
  canSplit,
  isListOpen,
  onList,
  onCommit,
}: ReviewToolbarProps): ReactNode {
  const review = useReviewStore();
  const state = useReviewState();
  const look = useCell(review.look);
  const { reviews, panels } = useWorkbench();
  const { store, projectDir, projectId } = useSession();
  const worktreeId = useDirectoryFact(({ sessions }) => sessions.get(store.sessionId)?.place?.worktreeId);
  const needsApproval = usePermissions().length > 0;
  const reply = state.list.phase === 'ready' ? state.list.reply : null;
  const all = reply?.files ?? [];
  const sum = (key: 'additions' | 'deletions'): number => all.reduce((total, file) => total + (file[key] ?? 0), 0);
  const viewed = files.filter((file) => isViewed(state, file)).length;
  const folder = reply?.folder ?? projectDir;
  const leave = (): void => {
    reviews.close(store.sessionId);
    panels.composerFocus.set(store.sessionId);
  };
  return (
    <header className="review-toolbar">
      <IconButton label="Back to conversation (Alt+R)" className="review-back" onClick={leave}>
        <Icon name="chevron" />
      </IconButton>
      {needsApproval && (
        <Button className="review-asks" onClick={leave}>
          Needs approval
        </Button>
      )}
      <Scopes isWide={isWide} />
      <span className="review-place">
        <span className="review-folder-name" title={folder}>
          <Icon name="folder" size={12} />
          {splitPath(folder).prefix}
        </span>
        {reply?.source === 'git' && (
          <span className="review-branch">
            <Icon name="branch" size={12} />
            {reply.branch ?? 'No branch'}
          </span>
        )}
        {reply !== null && reply.total > 0 && (
          <span className="review-sum">
            {plural(reply.total, 'file')} <span className="diff-added">+{sum('additions')}</span>{' '}
            <span className="diff-removed">−{sum('deletions')}</span>
          </span>
        )}
      </span>
      <span className="review-tools">
        {files.length > 0 && <span className="review-progress">{`${viewed} of ${files.length} viewed`}</span>}
        {!isWide && reply?.total !== 0 && (
          <Button aria-expanded={isListOpen} onClick={onList}>
            Files
          </Button>
        )}
        {canSplit && (
          <span className="review-segments" role="group" aria-label="Columns">
            {[false, true].map((isSplit) => (
              <button
                key={String(isSplit)}
                type="button"
                className="review-segment"
                aria-pressed={look.isSplit === isSplit}
                onClick={() => review.look.update((held) => ({ ...held, isSplit }))}
              >
                {isSplit ? 'Side by side' : 'Unified'}
              </button>
            ))}
          </span>
        )}
        <IconButton
          label="Ignore whitespace"
          aria-pressed={state.whitespace === 'ignore'}
          onClick={() => void review.loader.setWhitespace(state.whitespace === 'show' ? 'ignore' : 'show')}
        >
          <Icon name="whitespace" />
        </IconButton>
        <IconButton label="Refresh changes" disabled={state.isRefreshing} onClick={() => void review.refresh()}>
          <Icon name="retry" />
        </IconButton>
        {reply?.source === 'git' && (
          <Button title="Commit…" onClick={onCommit}>
            <Icon name="commit" size={14} />
            <span className="review-tool-name">Commit…</span>
          </Button>
        )}
        {worktreeId !== undefined && (
          <Button title="Merge or publish…" onClick={() => panels.open({ name: 'bring-back', projectId, worktreeId })}>
            <Icon name="branch" size={14} />
            <span className="review-tool-name">Merge or publish…</span>
          </Button>
        )}
      </span>
    </header>
  );
}

function Scopes({ isWide }: { readonly isWide: boolean }): ReactNode {
  const review = useReviewStore();
  const { query, list } = useReviewState();
  const base = list.phase === 'ready' ? list.reply.base : undefined;
  const choose = (scope: ChangeScope): void => void review.loader.show({ scope });
  const isChosen = (scope: ChangeScope): boolean =>
    scope === 'uncommitted' ? isUncommitted(query.scope) : query.scope === scope;
  if (!isWide)
    return (
      <>
        <select aria-label="Scope" value={query.scope} onChange={(event) => choose(event.target.value as ChangeScope)}>
          {[...mainScopes, ...halfScopes.slice(1)].map(({ scope }) => (
            <option key={scope} value={scope}>
              {scopeName(scope, base)}
            </option>
          ))}
        </select>
        {query.scope === 'base' && <BaseBranch />}
      </>
    );
  return (
    <>
      <span className="review-segments" role="group" aria-label="Scope">
        {mainScopes.map(({ scope }) => (
          <button
            key={scope}
            type="button"
            className="review-segment"
            aria-pressed={isChosen(scope)}
            onClick={() => choose(scope)}
          >
            {scope === 'turn' && query.scope === 'turn' && query.turnId !== undefined
              ? 'One turn'
              : scopeName(scope, base)}
          </button>
        ))}
      </span>
      {query.scope === 'base' && <BaseBranch />}
      {isUncommitted(query.scope) && (
        <span className="review-segments" role="group" aria-label="Part">
          {halfScopes.map(({ scope, name }) => (
            <button
              key={scope}
              type="button"
              className="review-segment"
              aria-pressed={query.scope === scope}
              onClick={() => choose(scope)}
            >
              {name}
            </button>
          ))}
        </span>
      )}
    </>
  );
}

/** The branch to compare with: the one the work started from, or another. */
function BaseBranch(): ReactNode {
  const review = useReviewStore();
  const { query, list } = useReviewState();
  const { api } = useWorkbench();
  const { projectId } = useSession();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isWanted = true;
    void api.worktree.branches(projectId).then((read) => {
      if (isWanted && read.ok) setNames(read.value.branches.map(({ name }) => name));
    });
    return () => {
      isWanted = false;
    };
  }, [api, projectId]);
  const branch = list.phase === 'ready' ? list.reply.branch : null;
  const others = names.filter((name) => name !== branch);
  if (others.length === 0) return null;
  return (
    <select
      aria-label="Base branch"
      value={query.base ?? ''}
      onChange={({ target }) =>
        void review.loader.show({ scope: 'base', ...(target.value !== '' && { base: target.value }) })
      }
    >
      <option value="">Default base</option>
      {others.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
