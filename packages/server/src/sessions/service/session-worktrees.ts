import { fail, ok, type PlaceChoice, type Result, type SessionPlace } from '@liminal/contracts';
import { isBusy } from '@liminal/domain/session/session';
import { hasUnfinishedWork } from '../shell/agent-renewal.ts';
import type { SessionRow } from '../../store/rows.ts';
import type { OpenSession } from './session-roster.ts';

/** What sessions need of worktrees. */
export type SessionWorktrees = {
  /** `startedFor`: the waiting caller's id of the future session. */
  choose(projectId: string, choice: PlaceChoice, startedFor?: string): Promise<Result<SessionPlace | null>>;
  attach(worktreeId: string, sessionId: string): Promise<void>;
  detach(sessionId: string): Promise<void>;
  /** Ready to be worked in; one that is parked is brought back. */
  open(worktreeId: string): Promise<Result<unknown>>;
  park(worktreeId: string, body: { readonly dropIgnored?: boolean }): Promise<Result<unknown>>;
};

/** A session's folder is there: its worktree is brought back if it was parked. */
export async function openPlace(worktrees: SessionWorktrees, { place }: SessionRow): Promise<Result<null>> {
  if (place?.worktreeId === undefined) return ok(null);
  const opened = await worktrees.open(place.worktreeId);
  return opened.ok ? ok(null) : opened;
}

/** An agent that did not start leaves its worktree: a retry gets its name, and uses it. */
export function namePlace<T>(created: Result<T>, place: SessionPlace | null): Result<T> {
  if (created.ok || place?.worktreeId === undefined) return created;
  const { code, message, details } = created.failure;
  return fail(code, message, { ...details, worktreeId: place.worktreeId });
}

/** Ends the agent of a session whose folder is to go. The session itself stays, and wakes again with its next message. */
export async function releaseFolder({ shell, link }: OpenSession): Promise<Result<null>> {
  const { title } = shell.row();
  if (isBusy(shell.session()) || hasUnfinishedWork(shell.session(), link))
    return fail('TURN_RUNNING', `The session "${title}" is working in this folder. Stop it, or wait until it is done.`);
  await shell.sleep();
  return link.isAlive()
    ? fail('TURN_RUNNING', `The agent of "${title}" is still working in this folder. Try again in a moment.`)
    : ok(null);
}
