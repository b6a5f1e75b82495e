import type { ReactNode } from 'react';
import type { NewWorktree } from '../../../state/sessions/new-sessions.ts';

type WorktreeFieldsProps = {
  readonly choice: NewWorktree;
  /** The branch the folder is on: a worktree starts from it unless another one is named. */
  readonly branch: string | undefined;
  readonly onChange: (choice: NewWorktree) => void;
};

/** What a new worktree starts from, and what its branch is called. */
export function WorktreeFields({ choice, branch, onChange }: WorktreeFieldsProps): ReactNode {
  const change = (part: 'base' | 'branch', value: string): void => {
    const { [part]: _before, ...rest } = choice;
    onChange(value.trim() === '' ? rest : { ...rest, [part]: value.trim() });
  };
  return (
    <div className="worktree-fields">
      <label className="worktree-field">
        <span>Base branch</span>
        <input
          type="text"
          defaultValue={choice.base ?? ''}
          placeholder={branch ?? 'current branch'}
          spellCheck={false}
          onChange={(event) => change('base', event.target.value)}
        />
      </label>
      <label className="worktree-field">
        <span>New branch</span>
        <input
          type="text"
          defaultValue={choice.branch ?? ''}
          placeholder="named for you"
          spellCheck={false}
          onChange={(event) => change('branch', event.target.value)}
        />
      </label>
    </div>
  );
}
