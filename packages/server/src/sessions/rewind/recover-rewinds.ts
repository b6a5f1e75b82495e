import type { Git } from '../../git/git.ts';
import type { Logger } from '../../observe/logger.ts';
import type { ProviderRegistry } from '../../providers/registry.ts';
import type { RewindRow } from '../../store/review-rows.ts';
import type { Store } from '../../store/store.ts';
import { bind, finishSteps, type StepDeps } from './rewind-steps.ts';

export type RecoverRewindsDeps = {
  readonly store: Store;
  readonly git: Git;
  readonly registry: Pick<ProviderRegistry, 'all'>;
  readonly log: Pick<Logger, 'error'>;
};

/**
 * Completes or drops a rewind that a crash interrupted. Before the agent had a copy nothing has happened, so it is
 * dropped; after that, files and conversation are completed.
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

async function recover({ store, git, registry }: RecoverRewindsDeps, row: RewindRow): Promise<void> {
  const session = store.session(row.sessionId);
  const project = store.projects().find(({ projectId }) => projectId === session?.projectId);
  const provider = registry.all().find(({ cliType }) => cliType === session?.cliType) ?? {};
  const opened = project?.trusted && row.folder !== null ? await git.openRecorded(row.folder) : null;
  const steps: StepDeps = {
    store,
    provider,
    tree: opened?.ok ? opened.value.tree : null,
    write: (writes) => store.write(writes),
  };
  switch (row.state) {
    case 'planned':
      return store.write([{ type: 'put-rewind', row: { ...row, state: 'dropped', isBound: true } }]);
    case 'forked':
    case 'undoing':
      return void (await finishSteps(steps, row));
    case 'done':
    case 'undone':
      return bind(steps, row);
    case 'dropped':
      return store.write([{ type: 'put-rewind', row: { ...row, isBound: true } }]);
  }
}
