import type { ReactNode } from 'react';
import './worktree-fields.css';

type Branches = { readonly base?: string; readonly branch?: string };

type WorktreeFieldsProps<Choice> = {
  readonly choice: Choice;
  /** The current branch of the folder: the default base of a worktree. */
  readonly branch: string | undefined;
  readonly onChange: (choice: Choice) => void;
};

/** The base of a new worktree, and the name of its branch. */
export function WorktreeFields<Choice extends Branches>({
  choice,
  branch,
  onChange,
}: WorktreeFieldsProps<Choice>): ReactNode {
  const change = (part: keyof Branches, value: string): void => {
    const changed = { ...choice };
    if (value.trim() === '') delete changed[part];
    else Object.assign(changed, { [part]: value.trim() });
    onChange(changed);
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
          placeholder="automatic"
          spellCheck={false}
          onChange={(event) => change('branch', event.target.value)}
        />
      </label>
    </div>
  );
}
