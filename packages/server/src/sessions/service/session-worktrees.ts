import { fail, ok, type PlaceChoice, type Result, type SessionPlace } from '@liminal/contracts';
import { isBusy } from '@liminal/domain/session/session';
import { hasUnfinishedWork } from '../shell/agent-renewal.ts';
import type { SessionRow } from '../../store/rows.ts';
import type { OpenSession } from './session-roster.ts';

/** What sessions need from worktrees. */
export type SessionWorktrees = {
  /** `startedFor`: the id the waiting client gave the future session. */
  choose(projectId: string, choice: PlaceChoice, startedFor?: string): Promise<Result<SessionPlace | null>>;
  attach(worktreeId: string, sessionId: string): Promise<void>;
  detach(sessionId: string): Promise<void>;
  /** Makes it ready to work in; restores a parked one. */
  open(worktreeId: string): Promise<Result<unknown>>;
  park(worktreeId: string, body: { readonly dropIgnored?: boolean }): Promise<Result<unknown>>;
};

/** Makes sure a session's folder exists: restores its worktree if it was parked. */
export async function openPlace(worktrees: SessionWorktrees, { place }: SessionRow): Promise<Result<null>> {
  if (place?.worktreeId === undefined) return ok(null);
  const opened = await worktrees.open(place.worktreeId);
  return opened.ok ? ok(null) : opened;
}

/** If an agent fails to start, its worktree stays: the error names it, so a retry can use it. */
export function namePlace<T>(created: Result<T>, place: SessionPlace | null): Result<T> {
  if (created.ok || place?.worktreeId === undefined) return created;
  const { code, message, details } = created.failure;
  return fail(code, message, { ...details, worktreeId: place.worktreeId });
}

/**
 * Ends the agent of a session whose folder is about to be removed. The session stays, and wakes with its next message.
 */
export async function releaseFolder({ shell, link }: OpenSession): Promise<Result<null>> {
  const { title } = shell.row();
  if (isBusy(shell.session()) || hasUnfinishedWork(shell.session(), link))
    return fail('TURN_RUNNING', `The session "${title}" is working in this folder. Stop it, or wait until it is done.`);
  await shell.sleep();
  return link.isAlive()
    ? fail('TURN_RUNNING', `The agent of "${title}" is still working in this folder. Try again in a moment.`)
    : ok(null);
}
