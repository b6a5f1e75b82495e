import { fail, ok, type DiscardReply, type RestoreBody } from '@liminal/contracts';
import { pathsOfCalls } from '@liminal/domain/review/changes-of-calls';
import type { SessionServiceDeps } from '../service/session-service.ts';
import { planTurns } from './plan-turns.ts';

/** Restores files to their state before a turn, without touching the conversation. */
export function createSessionRestores(
  deps: Pick<SessionServiceDeps, 'roster' | 'places' | 'git' | 'store' | 'writer' | 'now' | 'newId'>,
) {
  const { roster, places, git, store, writer, now, newId } = deps;
  return {
    restore: (sessionId: string, { turnId, paths }: RestoreBody) =>
      roster.with<DiscardReply>(sessionId, async ({ shell, checkpoints }) => {
        await checkpoints.idle();
        const project = places.project(shell.row());
        if (!project.ok) return project;
        if (!project.value.trusted)
          return fail('PROJECT_NOT_TRUSTED', `Trust "${project.value.name}" first, then try again.`);
        const checkpoint = store.checkpoint(sessionId, turnId);
        if (!checkpoint?.before || !checkpoint.after || checkpoint.pruned)
          return fail('CHECKPOINT_NOT_FOUND', 'There is no checkpoint of this turn, so its files cannot be restored.');
        const opened = await git.openRecorded(project.value.dir);
        if (!opened.ok) return opened;
        const { tree } = opened.value;
        await writer.flush(sessionId);
        const items = store.itemsOfTurn(sessionId, turnId).map(({ body }) => body);
        const plan = await planTurns(opened.value, [checkpoint], pathsOfCalls(items, project.value.dir));
        if (!plan.ok) return plan;
        if (plan.value.elsewhere !== null) return fail('CHECKPOINT_NOT_FOUND', `These turns ${plan.value.elsewhere}.`);
        const wanted = plan.value.targets.filter(({ path }) => paths === undefined || paths.includes(path));
        const conflicts = wanted.filter(({ how }) => how === 'conflict');
        // A named file is restored as far as it can be merged; later work is never overwritten.
        if (conflicts.length === wanted.length && conflicts.length > 0) {
          const why = conflicts.every(({ isUncertain }) => isUncertain) ? rulesChanged : changedSince;
          return fail('CONFLICT', why, { files: conflicts.map(({ path }) => path) });
        }
        const targets = wanted.filter(({ how }) => how !== 'conflict');
        const undoId = newId();
        const prepared = await tree.prepareRestore(targets, `undo/${undoId}`);
        if (!prepared.ok) return prepared;
        const files = prepared.value.files.map(({ path, from, to }) => ({ path, before: from, after: to }));
        const row = {
          sessionId,
          undoId,
          folder: project.value.dir,
          files,
          index: [],
          ref: prepared.value.ref,
          at: now(),
        };
        await store.write([{ type: 'put-undo', row }]);
        const done = await tree.applyRestore(prepared.value.files, 'forward');
        if (done.ok) return ok({ files: [...done.value.restored], undoId });
        const reverted = await tree.applyRestore(prepared.value.files, 'back');
        if (reverted.ok) return done;
        const { code, message, details } = done.failure;
        return fail(code, `${message} Some files are already restored. Undo reverts them.`, { ...details, undoId });
      }),
  };
}

const changedSince = 'The same lines of these files were changed since, so the files stay as they are.';
const rulesChanged = "Ignore rules changed, so what the turn did to these files isn't known. They stay as they are.";
