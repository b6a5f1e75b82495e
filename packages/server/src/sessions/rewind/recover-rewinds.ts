import type { Git, WorkingTree } from '../../git/git.ts';
import type { Logger } from '../../observe/logger.ts';
import type { ProviderRegistry } from '../../providers/registry.ts';
import type { RewindRow } from '../../store/review-rows.ts';
import type { Store } from '../../store/store.ts';
import { turnsOf } from './copied-turns.ts';
import { bind, finishSteps, type StepDeps } from './rewind-steps.ts';

export type RecoverRewindsDeps = {
  readonly store: Store;
  readonly git: Git;
  readonly registry: Pick<ProviderRegistry, 'all'>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
};

/**
 * Completes or drops a rewind that a crash interrupted. Before the agent had a copy nothing has happened, so it is
 * dropped; after that, files and conversation are completed. If the folder can't be read now, the session stays as it
 * is, and the next start tries again.
 */
export async function recoverRewinds(deps: RecoverRewindsDeps): Promise<void> {
  for (const row of deps.store.unfinishedRewinds()) {
    try {
      await recover(deps, row);
    } catch (error) {
      // Retried at the next start.
      deps.log.error({ err: error, sessionId: row.sessionId }, "couldn't finish a rewind");
    }
  }
}

async function recover(deps: RecoverRewindsDeps, row: RewindRow): Promise<void> {
  const { store, registry, log } = deps;
  const { sessionId } = row;
  const cliType = store.session(sessionId)?.cliType;
  const provider = registry.all().find((each) => each.cliType === cliType) ?? {};
  const steps: StepDeps = { store, provider, tree: null, write: (writes) => store.write(writes) };
  switch (row.state) {
    case 'planned':
      return store.write([{ type: 'put-rewind', row: { ...row, state: 'dropped', isBound: true } }]);
    case 'forked':
    case 'undoing': {
      if (hasMovedOn(store, row)) {
        log.warn({ sessionId }, 'dropped an interrupted rewind because the session was used since');
        const state = row.state === 'forked' ? 'dropped' : 'done';
        return store.write([{ type: 'put-rewind', row: { ...row, state, isBound: true } }]);
      }
      const tree = row.files.length > 0 ? await openTree(deps, row) : null;
      const finished = await finishSteps({ ...steps, tree }, row);
      if (!finished.ok) log.error({ sessionId, failure: finished.failure }, 'reverted an interrupted rewind');
      return;
    }
    case 'done':
    case 'undone':
      return bind(steps, row);
    case 'dropped':
      return store.write([{ type: 'put-rewind', row: { ...row, isBound: true } }]);
  }
}

/** Whether a start that couldn't finish the rewind let the session be used. Finishing would then lose later turns. */
function hasMovedOn(store: Store, { sessionId, rewindId, state, position, turnIds }: RewindRow): boolean {
  const begun = store.rewinds(sessionId).filter((each) => each.state !== 'planned' && each.state !== 'dropped');
  const later = turnsOf(store, sessionId).filter((turn) => (turn.position ?? 0) >= position);
  const expected = state === 'undoing' ? [] : turnIds;
  const isSame = later.length === expected.length && later.every(({ turnId }, place) => turnId === expected[place]);
  return !isSame || begun.at(-1)?.rewindId !== rewindId;
}

async function openTree({ store, git }: RecoverRewindsDeps, row: RewindRow): Promise<WorkingTree> {
  const { sessionId, folder, turnIds } = row;
  const projectId = store.session(sessionId)?.projectId;
  const project = store.projects().find((each) => each.projectId === projectId);
  if (!project?.trusted || folder === null) throw new Error('The folder is not trusted any more.');
  const opened = await git.openRecorded(folder);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { tree } = opened.value;
  // While a disk isn't mounted, its empty mount point opens too, but it isn't what was recorded.
  const isRecorded = turnIds.some((turnId) => store.checkpoint(sessionId, turnId)?.gitDir === tree.repository.gitDir);
  if (!isRecorded) throw new Error(`The repository of ${folder} is not the one that was recorded.`);
  return tree;
}
