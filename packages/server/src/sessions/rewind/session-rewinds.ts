import {
  fail,
  ok,
  type Result,
  type RewindBody,
  type RewindPlanBody,
  type RewindPlanReply,
  type RewindReply,
  type UndoRewindBody,
} from '@liminal/contracts';
import type { RewindRow } from '../../store/review-rows.ts';
import { rewindName } from '../review/prune-checkpoints.ts';
import { attempt } from '../service/attempt.ts';
import type { OpenSession } from '../service/session-roster.ts';
import type { SessionServiceDeps } from '../service/session-service.ts';
import { openPlace } from '../service/session-worktrees.ts';
import { turnsOf } from './copied-turns.ts';
import { cutConversation } from './cut-conversation.ts';
import { chosenTargets, planRewind, replyOf, type RewindPlan } from './rewind-plan.ts';
import { finishSteps, type StepDeps } from './rewind-steps.ts';

type Deps = Pick<SessionServiceDeps, 'roster' | 'places' | 'worktrees' | 'git' | 'store' | 'writer' | 'now' | 'newId'>;

/** Rewinds turns of a session, with their changes to its folder, and undoes rewinds. */
export function createSessionRewinds(deps: Deps) {
  const { roster, places, worktrees, git, store, now, newId } = deps;

  const put = (row: RewindRow): Promise<void> => store.write([{ type: 'put-rewind', row }]);
  const stepsOf = ({ shell, link }: OpenSession, tree: StepDeps['tree']): StepDeps => ({
    store,
    provider: link.provider,
    tree,
    write: (writes, isNewHistory) => (isNewHistory ? shell.rewriteHistory(writes) : store.write(writes)),
  });

  /** Runs a task while the session sends and runs nothing else. */
  const alone = async <T>(opened: OpenSession, task: () => Promise<Result<T>>): Promise<Result<T>> => {
    const { shell, link } = opened;
    const hasBackgroundWork = link.hasBackgroundWork();
    const begun = await shell.handle({ type: 'begin-rewind', hasBackgroundWork });
    if (!begun.ok) return begun;
    try {
      return await task();
    } finally {
      await shell.handle({ type: 'end-rewind' });
    }
  };

  /** The agent's sessions without these turns: a copy of the kept ones, or a new id if none are kept. */
  const copyKept = async ({ shell, link }: OpenSession, { last }: RewindPlan): Promise<Result<readonly string[]>> => {
    const { provider } = link;
    if (last === null) return ok([newId()]);
    const { sessionId } = shell;
    const options = roster.loadOptions(shell.row());
    const forked = await cutConversation({ store, provider, sessionId, options, last, isWhole: false });
    if (!forked.ok) return forked;
    // Some agents open a copy immediately; it must be opened under this session's own id.
    await provider.killSession(forked.value.sessionId);
    return ok([...(forked.value.earlier ?? []), forked.value.sessionId]);
  };

  const perform = async (opened: OpenSession, plan: RewindPlan, also: readonly string[]) => {
    const { shell, link } = opened;
    const rewindId = newId();
    const chosen = chosenTargets(plan, also);
    const prepared =
      plan.tree && chosen.length > 0 ? await plan.tree.prepareRestore(chosen, rewindName(rewindId)) : null;
    if (prepared && !prepared.ok) return prepared;
    const planned: RewindRow = {
      sessionId: shell.sessionId,
      rewindId,
      state: 'planned',
      turnIds: plan.turns.map(({ turnId }) => turnId),
      position: plan.turns[0]?.position ?? 0,
      agentBefore: [...(link.provider.agentIdsOf?.(shell.sessionId) ?? [shell.sessionId])],
      agentAfter: [],
      isBound: true,
      folder: plan.tree?.repository.folder ?? null,
      files: prepared?.value.files ?? [],
      at: now(),
    };
    await put(planned);
    await link.kill();
    const copied = await attempt(() => copyKept(opened, plan)).catch(async (error: unknown) => {
      await put({ ...planned, state: 'dropped' });
      throw error;
    });
    if (!copied.ok) {
      await put({ ...planned, state: 'dropped' });
      return copied;
    }
    // From here on the rewind will be completed, even after a crash.
    const forked: RewindRow = { ...planned, state: 'forked', agentAfter: copied.value };
    await put(forked);
    const done = await finishSteps(stepsOf(opened, plan.tree), forked);
    return done.ok ? ok({ rewindId, restored: [...done.value.restored], left: [...done.value.left] }) : done;
  };

  /** The folder whose files an undo restores; null if it has none. Fails if git may not run there. */
  const openForUndo = async (
    { shell }: OpenSession,
    { files, folder }: RewindRow,
  ): Promise<Result<StepDeps['tree']>> => {
    if (files.length === 0 || folder === null) return ok(null);
    const project = places.project(shell.row());
    if (!project.ok) return project;
    if (!project.value.trusted)
      return fail('PROJECT_NOT_TRUSTED', `Trust "${project.value.name}" first, then undo the rewind.`);
    const there = await openPlace(worktrees, shell.row());
    if (!there.ok) return there;
    const opened = await git.openRecorded(folder);
    return opened.ok ? ok(opened.value.tree) : opened;
  };

  return {
    planRewind: (sessionId: string, { turnId }: RewindPlanBody) =>
      roster.with<RewindPlanReply>(sessionId, async (opened) => {
        const decided = await opened.shell.handle({ type: 'fork', turnId });
        if (!decided.ok) return decided;
        const plan = await planRewind(deps, opened, turnId);
        return plan.ok ? replyOf(plan.value) : plan;
      }),

    rewind: (sessionId: string, { turnId, planId, also = [] }: RewindBody) =>
      attempt(() =>
        roster.with<RewindReply>(sessionId, async (opened) => {
          const queued = opened.shell.session().queue.some((message) => message.turnId === turnId);
          if (queued) return fail('TURN_NOT_FOUND', 'This message is still queued. Remove it from the queue instead.');
          return alone(opened, async () => {
            const plan = await planRewind(deps, opened, turnId);
            if (!plan.ok) return plan;
            if (plan.value.planId !== planId)
              return fail('STALE', 'The rewind plan has changed. Review the new plan, then decide.');
            return perform(opened, plan.value, also);
          });
        }),
      ),

    undoRewind: (sessionId: string, { rewindId }: UndoRewindBody) =>
      attempt(() =>
        roster.with<RewindReply>(sessionId, async (opened) =>
          alone(opened, async () => {
            await deps.writer.flush(sessionId);
            const rows = store.rewinds(sessionId);
            const row = rows.find((each) => each.rewindId === rewindId);
            if (!row) return fail('CHECKPOINT_NOT_FOUND', 'No rewind of this session has this id.');
            // An undo that a crash interrupted can be requested again.
            const newest = rows.findLast(({ state }) => state === 'done' || state === 'undoing');
            const isPast = turnsOf(store, sessionId).some(({ position }) => (position ?? 0) >= row.position);
            if (newest !== row || isPast)
              return fail('STALE', 'The session has moved on since, so this rewind cannot be undone any more.');
            // Undoing only the conversation would leave the files rewound for good.
            const tree = await openForUndo(opened, row);
            if (!tree.ok) return tree;
            await opened.link.kill();
            const undoing: RewindRow = { ...row, state: 'undoing' };
            await put(undoing);
            const done = await finishSteps(stepsOf(opened, tree.value), undoing);
            return done.ok ? ok({ rewindId, restored: [...done.value.restored], left: [...done.value.left] }) : done;
          }),
        ),
      ),
  };
}
