import type { ApiFailure } from '@liminal/client/call-routes';

/** A worktree to create for a session: its base, and the name of its branch. */
export type NewWorktree = {
  readonly kind: 'worktree';
  readonly base?: string;
  readonly branch?: string;
  /** The user knows that the base's agent settings differ from those of the trusted folder. */
  readonly trustConfiguration?: boolean;
  /** It already exists: for a session that didn't start, or for another one. */
  readonly worktreeId?: string;
};

/**
 * The part of a chosen or stored place that lasts: without the trust in its settings. Undefined for the project's
 * folder. Invalid parts of a worktree are left out; it stays one, because the agent must not work in the folder instead.
 */
export function placeToKeep(value: unknown): NewWorktree | undefined {
  const { kind, base, branch, worktreeId } = (value ?? {}) as Record<string, unknown>;
  if (kind !== 'worktree') return undefined;
  return {
    kind,
    ...(isFilled(base) && { base }),
    ...(isFilled(branch) && { branch }),
    ...(isFilled(worktreeId) && { worktreeId }),
  };
}

/**
 * What to try next after a start that failed: the worktree that it created, or another one if that was removed. Its
 * branch may have outlived it, so the next one gets a name of its own.
 */
export function placeAfterFailure({ base }: NewWorktree, { code, details }: ApiFailure): NewWorktree | undefined {
  const worktreeId = details?.['worktreeId'];
  const next: NewWorktree = { kind: 'worktree', ...(base !== undefined && { base }) };
  if (isFilled(worktreeId)) return { ...next, worktreeId };
  return code === 'WORKTREE_NOT_FOUND' ? next : undefined;
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
