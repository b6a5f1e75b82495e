import {
  fail,
  ok,
  type CommitBody,
  type CommitReply,
  type DiscardBody,
  type DiscardReply,
  type Result,
  type StageBody,
  type StageReply,
  type UndoBody,
} from '@liminal/contracts';
import type { WorkingTree } from '../../git/git.ts';
import type { DiscardPlan } from '../../git/staging/discard-changes.ts';
import type { Choice } from '../../git/staging/stage-changes.ts';
import { isPlainPath } from '../../git/working-files.ts';
import type { SessionServiceDeps } from '../service/session-service.ts';

type Opened = { readonly tree: WorkingTree; readonly folder: string };

/** What a user does with changes: stage, discard, restore, commit. Only in a trusted folder. */
export function createSessionStaging(
  deps: Pick<SessionServiceDeps, 'roster' | 'places' | 'git' | 'store' | 'now' | 'newId'>,
) {
  const { roster, places, git, store, now, newId } = deps;

  const inTree = <T>(
    sessionId: string,
    then: (opened: Opened) => Promise<Result<T>>,
    open: (dir: string) => Promise<Result<WorkingTree>> = git.open,
  ): Promise<Result<T>> =>
    roster.with<T>(sessionId, async ({ shell }) => {
      const project = places.project(shell.row());
      if (!project.ok) return project;
      const { trusted, name, dir } = project.value;
      if (!trusted)
        return fail(
          'PROJECT_NOT_TRUSTED',
          `Git can run programs the folder configures. Trust "${name}" first, then try again.`,
        );
      const opened = await open(dir);
      return opened.ok ? then({ tree: opened.value, folder: dir }) : opened;
    });
  /** Files restored from a checkpoint may be kept in our own repository. */
  const openRecorded = async (dir: string): Promise<Result<WorkingTree>> => {
    const opened = await git.openRecorded(dir);
    return opened.ok ? ok(opened.value.tree) : opened;
  };
  /** A renamed file's other name is included with it. */
  const choiceOf = async (
    tree: WorkingTree,
    { paths = [], hunks = [] }: StageBody,
    scope: Scope,
  ): Promise<Result<Choice>> => {
    const refused = [...paths, ...hunks.map(({ path }) => path)].find((path) => !isPlainPath(path));
    if (refused !== undefined) return fail('PATH_REFUSED', `"${refused}" is not a path in the project folder.`);
    // Without whitespace, hunks have other numbers.
    if (hunks.some(({ whitespace }) => whitespace === 'ignore'))
      return fail('NOT_SUPPORTED', 'Show whitespace to stage or discard single hunks.');
    if (paths.length === 0) return ok({ paths, hunks });
    const listed = await tree.changes({ kind: scope });
    if (!listed.ok) return listed;
    const wanted = new Set(paths);
    const both = listed.value.entries.flatMap(({ path, oldPath }) =>
      oldPath !== undefined && wanted.has(path) ? [oldPath] : [],
    );
    return ok({ paths: [...new Set([...paths, ...both])], hunks });
  };
  const asReply = (done: Result<string[]>): Result<StageReply> => (done.ok ? ok({ files: done.value }) : done);

  return {
    stage: (sessionId: string, body: StageBody) =>
      inTree<StageReply>(sessionId, async ({ tree }) => {
        const choice = await choiceOf(tree, body, 'unstaged');
        return choice.ok ? asReply(await tree.stage(choice.value)) : choice;
      }),
    unstage: (sessionId: string, body: StageBody) =>
      inTree<StageReply>(sessionId, async ({ tree }) => {
        const choice = await choiceOf(tree, body, 'staged');
        return choice.ok ? asReply(await tree.unstage(choice.value)) : choice;
      }),
    discard: (sessionId: string, body: DiscardBody) =>
      inTree<DiscardReply>(sessionId, async ({ tree, folder }) => {
        const choice = await choiceOf(tree, body, body.scope);
        if (!choice.ok) return choice;
        const undoId = newId();
        const putUndo = ({ files, index, ref }: Omit<DiscardPlan, 'perform'>): Promise<void> => {
          const row = { sessionId, undoId, folder, files: [...files], index: [...index], ref, at: now() };
          return store.write([{ type: 'put-undo', row }]);
        };
        let plan: DiscardPlan | null = null;
        const done = await tree.discard(choice.value, body.scope, `undo/${undoId}`, async (made) => {
          plan = made;
          await putUndo(made);
        });
        if (done.ok) return ok({ files: done.value, undoId });
        const { code, message, details } = done.failure;
        const discarded = new Set(details?.['discarded'] as string[] | undefined);
        if (plan === null || discarded.size === 0) return done;
        // The others may have changed meanwhile, which must not prevent an undo.
        const { files, index, ref } = plan as DiscardPlan;
        await putUndo({ files: files.filter(({ path }) => discarded.has(path)), index, ref });
        return fail(code, message, { ...details, undoId });
      }),
    undo: (sessionId: string, { undoId }: UndoBody) =>
      inTree<StageReply>(
        sessionId,
        async ({ tree, folder }) => {
          const row = store.undo(sessionId, undoId);
          if (row?.folder !== folder) return fail('CHECKPOINT_NOT_FOUND', 'There is nothing to undo under this id.');
          return asReply(await tree.undoDiscard(row));
        },
        openRecorded,
      ),
    commit: (sessionId: string, body: CommitBody) =>
      inTree<CommitReply>(sessionId, async ({ tree }) => {
        const refused = (body.paths ?? []).find((path) => !isPlainPath(path));
        if (refused !== undefined) return fail('PATH_REFUSED', `"${refused}" is not a path in the project folder.`);
        return tree.commit(body);
      }),
  };
}

type Scope = 'unstaged' | 'staged' | 'uncommitted';
