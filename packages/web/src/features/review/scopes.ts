import type { ChangeScope } from '@liminal/contracts';

/** The scopes to choose from; staged and unstaged are within `uncommitted`. */
export const mainScopes: readonly { readonly scope: ChangeScope; readonly name: string }[] = [
  { scope: 'turn', name: 'This turn' },
  { scope: 'session', name: 'This session' },
  { scope: 'uncommitted', name: 'Uncommitted' },
  { scope: 'base', name: 'Against base' },
];
export const halfScopes: readonly { readonly scope: ChangeScope; readonly name: string }[] = [
  { scope: 'uncommitted', name: 'All' },
  { scope: 'staged', name: 'Staged' },
  { scope: 'unstaged', name: 'Unstaged' },
];

const names: Record<ChangeScope, string> = {
  turn: 'This turn',
  session: 'This session',
  uncommitted: 'Uncommitted',
  staged: 'Staged',
  unstaged: 'Unstaged',
  base: 'Against base',
};

/** The name of a scope, with the base branch if it is known. */
export const scopeName = (scope: ChangeScope, base?: string): string =>
  scope === 'base' && base !== undefined ? `Against ${base.replace(/^refs\/(?:heads|remotes)\//, '')}` : names[scope];

const nothing: Record<ChangeScope, string> = {
  turn: 'This turn changed no files.',
  session: 'This session has changed no files yet.',
  uncommitted: 'Nothing to commit. The folder matches the last commit.',
  staged: 'Nothing is staged.',
  unstaged: 'All changes are staged.',
  base: 'No file differs from the base.',
};

/** The text for an empty list. */
export const nothingChanged = (scope: ChangeScope): string => nothing[scope];

export const isUncommitted = (scope: ChangeScope): boolean =>
  scope === 'uncommitted' || scope === 'staged' || scope === 'unstaged';
