import { fail, ok, type Result } from '@liminal/contracts';
import type { CandidateRow, CompareRow } from '../store/compare-rows.ts';
import type { CompareDeps } from './compare-deps.ts';
import type { CompareTable } from './compare-table.ts';

/**
 * Starts a candidate: creates its worktree and its session, then sends the message. Each step is recorded and finds
 * what an earlier attempt made, so a retry duplicates nothing. Gives up between two steps if the user has kept another
 * candidate meanwhile, or if the server is closing.
 */
export async function startCandidate(
  deps: CompareDeps,
  table: CompareTable,
  { compareId, projectId, message, base, baseCommit }: CompareRow,
  candidate: CandidateRow,
  closing: AbortSignal,
): Promise<Result<null>> {
  const { worktrees, sessions, store } = deps;
  const { candidateId, cliType, modelId } = candidate;
  const mayGoOn = (): Result<null> => {
    if (closing.aborted) return interrupted;
    const now = table.find(compareId);
    return now.ok && now.value.kept ? keptAnother : ok(null);
  };
  const made = await ownWorktree();
  if (!made.ok) return made;
  const worktreeId = made.value;
  const opened = await worktrees.open(worktreeId);
  if (!opened.ok) return opened;
  const mayCreate = mayGoOn();
  if (!mayCreate.ok) return mayCreate;

  const before = store.sessions().find(({ place }) => place?.worktreeId === worktreeId)?.sessionId;
  const created =
    before === undefined
      ? await sessions.create({
          cliType,
          projectId,
          place: { kind: 'worktree', worktreeId },
          ...(modelId !== null && { options: { modelId } }),
        })
      : ok({ sessionId: before });
  if (!created.ok) return created;
  const { sessionId } = created.value;
  await table.changeCandidate(compareId, candidateId, { sessionId });
  const maySend = mayGoOn();
  if (!maySend.ok) return maySend;
  const { content, images, mentions } = message;
  const sent = await sessions.send(sessionId, {
    content,
    ...(images.length > 0 && { images }),
    ...(mentions.length > 0 && { mentions }),
    clientMessageId: `compare-${candidateId}`,
  });
  return sent.ok ? ok(null) : sent;

  async function ownWorktree(): Promise<Result<string>> {
    const earlier = candidate.worktreeId === null ? null : await worktrees.read(candidate.worktreeId);
    if (earlier?.ok) {
      const { worktreeId: id, state, setup } = earlier.value;
      if (state !== 'failed') return ok(id);
      if (setup) {
        const again = await worktrees.setUpAgain(id);
        return again.ok ? ok(id) : again;
      }
      const removed = await worktrees.remove(id, {});
      if (!removed.ok) return removed;
    }
    const mayMake = mayGoOn();
    if (!mayMake.ok) return mayMake;
    const id = deps.newId();
    // Written before it is created, so a retry of this candidate finds it.
    await table.changeCandidate(compareId, candidateId, { worktreeId: id });
    const branch = `liminal/${cliType.replaceAll(/[^A-Za-z0-9-]+/g, '-')}-${id.slice(0, 8)}`;
    const begun = await worktrees.create(
      projectId,
      { branch },
      { worktreeId: id, at: { name: base, commit: baseCommit } },
    );
    return begun.ok ? ok(id) : begun;
  }
}

const keptAnother = fail('STALE', 'Another candidate was kept before this one started.');
export const interrupted = fail(
  'SESSION_CREATE_FAILED',
  'The server stopped while this candidate was starting. Start it again.',
);
