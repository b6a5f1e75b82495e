import {
  fail,
  ok,
  type BranchesReply,
  type CreateWorktreeBody,
  type PlaceChoice,
  type RemoveWorktreeQuery,
  type Result,
  type SessionPlace,
  type Worktree,
} from '@liminal/contracts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import { createWorktreeList, isGone } from './list-worktrees.ts';
import { createWorktreeMaker } from './make-worktree.ts';
import { createMerging } from './merge-worktree.ts';
import { findBase, planWorktree, type WorktreeBase } from './plan-worktree.ts';
import { createParking } from './park-worktree.ts';
import { createPublishing } from './publish-worktree.ts';
import { recoverWorktrees } from './recover-worktrees.ts';
import { createRecreating } from './recreate-worktree.ts';
import { createRemoving } from './remove-worktree.ts';
import { createRemovedFolders } from './removed-folders.ts';
import type { CommandEnd } from './run-setup.ts';
import { mayRunCommands, openWorktrees, type Alone, type WorktreeDeps } from './worktree-deps.ts';
import { createWorktreeTable } from './worktree-table.ts';

type Task = {
  readonly cancel: AbortController;
  readonly anyway: AbortController;
  readonly done: Promise<Result<WorktreeRow>>;
};

export type WorktreeService = ReturnType<typeof createWorktreeService>;

/** The worktrees of all projects. Every change is recorded first, and each worktree changes one step at a time. */
export function createWorktreeService(deps: WorktreeDeps) {
  const table = createWorktreeTable(deps.store);
  const maker = createWorktreeMaker(deps, table);
  const listing = createWorktreeList(deps, table);
  const making = new Map<string, Task>();
  const busy = new Map<string, Promise<unknown>>();
  let isClosing = false;

  const alone: Alone = async (worktreeId, task) => {
    if (busy.has(worktreeId) || making.has(worktreeId)) return isBusy;
    const row = table.find(worktreeId);
    if (!row.ok) return row;
    const done = task(row.value);
    busy.set(worktreeId, done);
    try {
      return await done;
    } finally {
      busy.delete(worktreeId);
    }
  };
  /** The same, once nothing else runs on this worktree. */
  const aloneLater: Alone = async (worktreeId, task) => {
    const running = () => making.get(worktreeId)?.done ?? busy.get(worktreeId);
    for (let other = running(); other; other = running()) await other.catch(() => {});
    return alone(worktreeId, task);
  };
  const removedFolders = createRemovedFolders(deps.onError);
  const parking = createParking(deps, table, alone, removedFolders);
  const removeAlone = createRemoving(deps, table, alone, removedFolders);
  const recovering = recoverWorktrees(deps, table, alone).catch(deps.onError);
  removedFolders.tidy(table.rows().map(({ root }) => root));

  const begin = (
    row: WorktreeRow,
    run: (task: Pick<Task, 'cancel' | 'anyway'>) => Promise<Result<WorktreeRow>>,
  ): Task => {
    const signals = { cancel: new AbortController(), anyway: new AbortController() };
    const done = (isClosing ? Promise.resolve(closed) : run(signals))
      .catch((error: unknown) => {
        deps.onError(error);
        return fail('GIT_FAILED', "The worktree couldn't be created. The server's log has the details.");
      })
      .finally(() => making.delete(row.worktreeId));
    const task = { ...signals, done };
    making.set(row.worktreeId, task);
    return task;
  };

  const startMaking = async (
    projectId: string,
    body: CreateWorktreeBody,
    { worktreeId = deps.newId(), at, startedFor }: GivenWorktree = {},
  ): Promise<Result<{ row: WorktreeRow; task: Task }>> => {
    const opened = await openWorktrees(deps, projectId);
    if (!opened.ok) return opened;
    const base = at ? ok(at) : await findBase(opened.value, body);
    if (!base.ok) return base;
    const planned = await planWorktree(deps, opened.value, base.value, { worktreeId, branch: body.branch });
    if (!planned.ok) return planned;
    const row = planned.value;
    table.note(row.worktreeId, { startedFor });
    const task = begin(row, async ({ cancel, anyway }) => {
      const made = await maker.make(row, opened.value.trees, { signal: cancel.signal, startAnyway: anyway.signal });
      if (made.ok || made.failure.details?.['worktreeId'] !== undefined) return made;
      table.note(row.worktreeId, { progress: undefined });
      if (cancel.signal.aborted) await table.remove(row.worktreeId);
      else await table.put({ ...row, state: 'failed', error: made.failure.message });
      return made;
    });
    return ok({ row, task });
  };
  const placeOf = ({ folder, branch, worktreeId }: WorktreeRow): SessionPlace => ({
    kind: 'worktree',
    folder,
    branch,
    worktreeId,
  });

  /** Waits for one that is being created or changed. `onParked` says what to do with a parked one. */
  const ready = async (
    worktreeId: string,
    onParked: () => Promise<Result<WorktreeRow>>,
  ): Promise<Result<WorktreeRow>> => {
    await recovering;
    const task = making.get(worktreeId);
    if (task) return task.done;
    await busy.get(worktreeId)?.catch(() => {});
    const row = table.find(worktreeId);
    if (!row.ok) return row;
    switch (row.value.state) {
      case 'parked':
        return onParked();
      case 'creating':
      case 'setup':
      case 'failed':
        return fail('SESSION_CREATE_FAILED', row.value.error ?? "This worktree isn't ready.", { worktreeId });
      case 'ready':
        return row.value.step !== null || (await isGone(row.value.root)) ? missing(row.value) : row;
    }
  };
  /** Makes a worktree ready to use: restores a parked one, and waits for one that is being created. */
  const open = (worktreeId: string): Promise<Result<WorktreeRow>> =>
    ready(worktreeId, async () => {
      const restored = await parking.restore(worktreeId);
      return restored.ok ? table.find(worktreeId) : restored;
    });

  return {
    ...parking,
    ...createMerging(deps, alone),
    ...createPublishing(deps, table),
    recreate: createRecreating(deps, table, alone),
    open,
    list: listing.list,
    follow: table.follow,
    async branches(projectId: string): Promise<Result<BranchesReply>> {
      const opened = await openWorktrees(deps, projectId);
      if (!opened.ok) return opened;
      const [branches, base] = [await opened.value.trees.branches(), await opened.value.trees.usualBase()];
      if (!branches.ok) return branches;
      return base.ok ? ok({ branches: branches.value, base: base.value }) : base;
    },
    /** The commit that several worktrees will start from. */
    async base(projectId: string, body: CreateWorktreeBody): Promise<Result<WorktreeBase>> {
      const opened = await openWorktrees(deps, projectId);
      return opened.ok ? findBase(opened.value, body) : opened;
    },
    async create(
      projectId: string,
      body: CreateWorktreeBody,
      given?: GivenWorktree,
    ): Promise<Result<{ worktreeId: string }>> {
      const started = await startMaking(projectId, body, given);
      return started.ok ? ok({ worktreeId: started.value.row.worktreeId }) : started;
    },
    async read(worktreeId: string): Promise<Result<Worktree>> {
      const row = table.find(worktreeId);
      return row.ok ? ok(table.of(row.value)) : row;
    },
    /** A place for a new session of this project. Resolves when it is ready. */
    async choose(projectId: string, choice: PlaceChoice, startedFor?: string): Promise<Result<SessionPlace | null>> {
      if (choice.kind === 'folder') return ok(null);
      if ('worktreeId' in choice) {
        const row = table.find(choice.worktreeId);
        if (!row.ok) return row;
        if (row.value.projectId !== projectId)
          return fail('WORKTREE_NOT_FOUND', 'This worktree belongs to another project.');
        const opened = await open(choice.worktreeId);
        return opened.ok ? ok(placeOf(opened.value)) : opened;
      }
      const started = await startMaking(projectId, choice, { startedFor });
      if (!started.ok) return started;
      const made = await started.value.task.done;
      if (made.ok) return ok(placeOf(made.value));
      // The caller gets the error. A row for something that never existed helps nobody.
      const row = table.find(started.value.row.worktreeId);
      if (row.ok && row.value.setup === null) await table.remove(row.value.worktreeId);
      return made;
    },
    /** A session now works in it. */
    async attach(worktreeId: string, sessionId: string): Promise<void> {
      const row = table.find(worktreeId);
      if (row.ok) await table.put({ ...row.value, sessionId: row.value.sessionId ?? sessionId, lastUsed: deps.now() });
    },
    /** The session is gone; its worktree stays. An operation that runs meanwhile would write the session back. */
    async detach(sessionId: string): Promise<void> {
      for (const { worktreeId } of table.rows().filter((row) => row.sessionId === sessionId))
        await aloneLater(worktreeId, async (row) => ok(await table.put({ ...row, sessionId: null })));
    },
    async startAnyway(worktreeId: string): Promise<Result<Worktree>> {
      const row = table.find(worktreeId);
      if (!row.ok) return row;
      const task = making.get(worktreeId);
      if (task && row.value.state === 'setup') {
        task.anyway.abort();
        const done = await task.done;
        return done.ok ? ok(table.of(done.value)) : done;
      }
      if (row.value.state !== 'failed' || row.value.setup === null)
        return fail('NOT_SUPPORTED', "There is no setup command to skip: this worktree isn't waiting for one.");
      return ok(table.of(await table.put({ ...row.value, state: 'ready', error: null })));
    },
    /** Runs the setup command again after it failed. */
    async setUpAgain(worktreeId: string): Promise<Result<null>> {
      const row = table.find(worktreeId);
      if (!row.ok) return row;
      if (row.value.state !== 'failed' || making.has(worktreeId)) return ok(null);
      const allowed = mayRunCommands(deps, row.value.projectId);
      if (!allowed.ok) return allowed;
      const task = begin(row.value, ({ cancel, anyway }) =>
        maker.setUp(row.value, { signal: cancel.signal, startAnyway: anyway.signal }),
      );
      const done = await task.done;
      return done.ok ? ok(null) : done;
    },
    /** Runs a command of the user in a worktree that is ready. Doesn't restore a parked one. */
    async run(worktreeId: string, command: string, signal: AbortSignal): Promise<Result<CommandEnd>> {
      const row = await ready(worktreeId, async () => isParked);
      if (!row.ok) return row;
      const allowed = mayRunCommands(deps, row.value.projectId);
      return allowed.ok ? ok(await maker.run(row.value, command, { signal })) : allowed;
    },
    /** Ends the commands that run in a project if the user no longer trusts it. */
    trustChanged: maker.stopUntrusted,
    /** Cancels a worktree that is being created. An existing one is removed only if nothing is lost. */
    async remove(worktreeId: string, { dropIgnored = false }: RemoveWorktreeQuery): Promise<Result<null>> {
      if (worktreeId.startsWith('foreign-'))
        return fail('NOT_SUPPORTED', 'This worktree was created outside Liminal Builder. Remove it with git.');
      const task = making.get(worktreeId);
      if (task) {
        task.cancel.abort();
        await task.done;
        // A new worktree is gone now. One whose setup ran again still exists.
        if (!table.find(worktreeId).ok) return ok(null);
      }
      return removeAlone(worktreeId, dropIgnored);
    },
    /** The folder of a worktree for files and terminals. */
    folderOf(projectId: string, worktreeId: string): Result<string> {
      const row = table.find(worktreeId);
      if (!row.ok) return row;
      const { state, folder } = row.value;
      if (row.value.projectId !== projectId)
        return fail('WORKTREE_NOT_FOUND', 'This worktree belongs to another project.');
      return state === 'parked' ? isParked : ok(folder);
    },
    /** Resolves when nothing is being created, recovered or deleted. */
    async idle(): Promise<void> {
      await recovering;
      await Promise.all([...making.values()].map(({ done }) => done));
      await Promise.all([...busy.values()].map((done) => done.catch(() => {})));
      await listing.idle();
      await removedFolders.idle();
    },
    /** Cancels everything that is being created. Nothing new begins. */
    async close(): Promise<void> {
      isClosing = true;
      for (const { cancel } of making.values()) cancel.abort();
      await removedFolders.close();
      await this.idle();
    },
  };
}

/** What the caller has already decided about a worktree. */
type GivenWorktree = {
  readonly worktreeId?: string;
  readonly at?: WorktreeBase;
  readonly startedFor?: string | undefined;
};

const isBusy = fail('GIT_BUSY', 'This worktree is busy with another operation. Wait until it is done.');
const closed = fail('GIT_FAILED', 'The server is shutting down.');
const isParked = fail('WORKTREE_NOT_FOUND', 'This worktree is parked. Restore it first.');
const missing = ({ folder, worktreeId, step }: WorktreeRow) =>
  fail(
    'WORKTREE_NOT_FOUND',
    `The worktree's folder ${folder} is ${step === null ? 'gone' : 'incomplete'}. Recreate it from its branch first.`,
    {
      worktreeId,
    },
  );
