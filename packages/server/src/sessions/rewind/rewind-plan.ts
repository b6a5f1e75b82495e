import { createHash } from 'node:crypto';
import { fail, ok, type LineCounts, type Result, type RewindPlanReply } from '@liminal/contracts';
import { pathsOfCalls } from '@liminal/domain/review/changes-of-calls';
import type { Git, WorkingTree } from '../../git/git.ts';
import type { RestoreTarget } from '../../git/restore/restore-plan.ts';
import type { SessionPlaces } from '../../projects/session-places.ts';
import type { CheckpointRow } from '../../store/review-rows.ts';
import type { TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { ItemWriter } from '../writing/item-writer.ts';
import type { OpenSession } from '../service/session-roster.ts';
import { turnsOf } from './copied-turns.ts';
import { mayCut } from './cut-conversation.ts';
import { notRestored } from './not-restored.ts';
import { planTurns } from './plan-turns.ts';

export type RewindDeps = {
  readonly store: Store;
  readonly writer: Pick<ItemWriter, 'flush'>;
  readonly git: Git;
  readonly places: SessionPlaces;
};

export type RewindPlan = {
  readonly planId: string;
  /** The turns to rewind, oldest first. */
  readonly turns: readonly TurnRow[];
  /** The last turn that stays. */
  readonly last: TurnRow | null;
  readonly tree: WorkingTree | null;
  readonly targets: readonly RestoreTarget[];
  /** Files that no call of this session named, while another session worked in the folder. */
  readonly uncertain: ReadonlySet<string>;
  readonly lost: readonly string[];
};

/** Plans the rewind of a turn and all later ones. Changes nothing. */
export async function planRewind(deps: RewindDeps, opened: OpenSession, turnId: string): Promise<Result<RewindPlan>> {
  const { store, git, places } = deps;
  const { shell, link, checkpoints } = opened;
  const { sessionId } = shell;
  // The checkpoint after the last turn may still be in progress.
  await checkpoints.idle();
  await deps.writer.flush(sessionId);
  const all = turnsOf(store, sessionId);
  const first = all.findIndex((turn) => turn.turnId === turnId);
  if (first < 0) return fail('TURN_NOT_FOUND', 'No turn of this session has this id.');
  const allowed = first === 0 ? ok(null) : mayCut(link.provider, false);
  if (!allowed.ok) return allowed;
  if (!link.provider.rebind) return fail('NOT_SUPPORTED', `${link.provider.name} can't be rewound.`);
  const turns = all.slice(first);
  const rows = turns.flatMap(({ turnId: id }) => store.checkpoint(sessionId, id) ?? []);
  const recorded = rows.filter(({ before, after, pruned }) => before && after && !pruned);
  const items = turns.flatMap(({ turnId: id }) => store.itemsOfTurn(sessionId, id).map(({ body }) => body));
  const project = places.project(shell.row());
  const trusted = project.ok && project.value.trusted;
  const tree = trusted && recorded.length > 0 ? await git.openRecorded(project.value.dir) : null;
  if (tree && !tree.ok && tree.failure.code === 'GIT_MISSING') return tree;
  const named = pathsOfCalls(items, project.ok ? project.value.dir : '');
  const restore = tree?.ok ? await planTurns(tree.value, recorded, named) : null;
  if (restore && !restore.ok) return restore;
  const { targets = [], kept = recorded, elsewhere = null, state = null, notKept = [] } = restore?.value ?? {};
  const isShared = overlapsOthers(store, sessionId, kept);
  const uncertain = new Set(isShared ? targets.map(({ path }) => path).filter((path) => !named.has(path)) : []);
  const openFailure = tree && !tree.ok ? tree.failure.message : null;
  const lost = notRestored({ turns, rows, kept, items, isTrusted: trusted, openFailure, elsewhere, state, notKept });
  const planId = createHash('sha256')
    .update(JSON.stringify([turns.map(({ turnId: id }) => id), targets]))
    .digest('hex');
  return ok({
    planId,
    turns,
    last: all[first - 1] ?? null,
    tree: tree?.ok ? tree.value.tree : null,
    targets,
    uncertain,
    lost,
  });
}

/** Whether a turn of another session ran in the same working tree at the same time as one of these. */
function overlapsOthers(store: Store, sessionId: string, kept: readonly CheckpointRow[]): boolean {
  return [...Map.groupBy(kept, ({ gitDir }) => gitDir)].some(([gitDir, rows]) => {
    const others = store.checkpointTimes(gitDir).filter((other) => other.sessionId !== sessionId);
    return rows.some((row) => {
      const [start, end] = [row.before?.at ?? '', row.after?.at ?? ''];
      return others.some(({ before, after }) => before < end && (after === null || after > start));
    });
  });
}

const alsoAtWork =
  'Another session worked in this folder at the same time, and no edit call of this agent named the file.';
const changedSince = 'You or another session changed the same lines since.';
const rulesChanged = "Ignore rules changed, so what these turns did to this file isn't known.";
const reasonOf = ({ how, isUncertain }: RestoreTarget): string =>
  isUncertain ? rulesChanged : how === 'conflict' ? changedSince : alsoAtWork;

/** The plan as a user sees it. */
export async function replyOf(plan: RewindPlan): Promise<Result<RewindPlanReply>> {
  const { planId, turns, last, tree, targets, uncertain, lost } = plan;
  const counted = tree ? await tree.countLines(targets) : ok(new Map<string, LineCounts>());
  if (!counted.ok) return counted;
  return ok({
    planId,
    turns: turns.length,
    restore: targets
      .filter(({ how }) => how === 'restore')
      .map(({ path, now, to }) => ({
        path,
        change: to === null ? 'deleted' : now === null ? 'added' : 'modified',
        selected: !uncertain.has(path),
      })),
    merge: targets.filter(({ how, path }) => how === 'merge' && !uncertain.has(path)).map(({ path }) => path),
    foreign: targets
      .filter(({ how, path }) => how === 'conflict' || (how === 'merge' && uncertain.has(path)))
      .map((target) => ({ path: target.path, reason: reasonOf(target) })),
    lost: [...lost],
    counts: Object.fromEntries(counted.value),
    keeps: last?.turnId ?? null,
  });
}

/** The files to restore: those of this session, and those the user asked for anyway. */
export function chosenTargets(plan: RewindPlan, also: readonly string[]): readonly RestoreTarget[] {
  const asked = new Set(also);
  return plan.targets.filter(({ path, how }) => asked.has(path) || (how !== 'conflict' && !plan.uncertain.has(path)));
}
