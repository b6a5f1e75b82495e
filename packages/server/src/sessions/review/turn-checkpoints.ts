import type { Project, Result, TurnChanges } from '@liminal/contracts';
import type { Git, WorkingTree } from '../../git/git.ts';
import type { CheckpointRow, KeptTree } from '../../store/review-rows.ts';
import type { StoreWrite } from '../../store/rows.ts';
import type { ActiveTurns } from './active-turns.ts';

export type TurnCheckpointsDeps = {
  readonly sessionId: string;
  readonly git: Git;
  /** The session's project, if there still is one. */
  readonly project: () => Project | null;
  readonly active: ActiveTurns;
  /** The files that this session's edit calls name. */
  readonly named: () => ReadonlySet<string>;
  readonly newId: () => string;
  readonly now: () => string;
  /** Durable once it resolves. */
  readonly write: (writes: readonly StoreWrite[]) => Promise<void>;
  /** What really changed in the folder during a turn. */
  readonly onChanged: (turnId: string, changes: TurnChanges) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** The longest a message or a first tool call waits for the folder to be recorded. */
  readonly mostMs?: number;
};

type Begun = { readonly tree: WorkingTree; readonly folder: string; readonly before: KeptTree };
/** The record of a folder before a turn; null where there is none. */
type Turn = { readonly begun: Promise<Begun | null>; readonly ready: Promise<void> };

export type TurnCheckpoints = {
  /** The person began to type: what takes long the first time is done now. */
  prepare(): void;
  /** A message is on its way to the agent: records the folder. */
  begin(turnId: string): void;
  /** Resolves when the folder is recorded, or when there is no point in waiting any longer. */
  ready(turnId: string): Promise<void>;
  /** Records the folder again, and what changed. */
  ended(turnId: string): void;
  /** Everything begun is done. */
  idle(): Promise<void>;
};

/** Records a session's folder before and after each turn. Nothing a person or an agent does fails because this does. */
export function createTurnCheckpoints(deps: TurnCheckpointsDeps): TurnCheckpoints {
  const { sessionId, git, active, now, newId, mostMs = 2_000 } = deps;
  const turns = new Map<string, Turn>();
  const running = new Set<Promise<unknown>>();
  const track = <T>(task: Promise<T>): void => {
    const done = task.catch(deps.onError).finally(() => running.delete(done));
    running.add(done);
  };

  /** No git in a folder nobody trusts. */
  const openTree = async (): Promise<{ tree: WorkingTree; folder: string } | null> => {
    const project = deps.project();
    if (!project?.trusted) return null;
    const opened = await git.open(project.dir);
    return opened.ok ? { tree: opened.value, folder: project.dir } : null;
  };
  const keep = async (tree: WorkingTree): Promise<KeptTree | null> => {
    const kept = await tree.keep(`turn/${newId()}`);
    if (!kept.ok) return null;
    const { snapshot, state, ref } = kept.value;
    const { head, branch, operation } = state;
    return { tree: snapshot.tree, ref, head, branch, operation, at: now(), notKept: [...snapshot.notKept] };
  };
  const rowOf = ({ tree, folder, before }: Begun, turnId: string): CheckpointRow => ({
    sessionId,
    turnId,
    folder,
    gitDir: tree.repository.gitDir,
    before,
    after: null,
    paths: [],
    foreign: [],
    pruned: false,
  });

  const begin = async (turnId: string, isLate: () => boolean): Promise<Begun | null> => {
    const opened = await openTree();
    if (opened === null) return null;
    const before = await keep(opened.tree);
    // The agent may have begun to work: what was recorded now is not what was there before.
    if (before === null || isLate()) return null;
    const begun = { ...opened, before };
    active.begin({ sessionId, turnId, gitDir: opened.tree.repository.gitDir, named: deps.named });
    await deps.write([{ type: 'put-checkpoint', row: rowOf(begun, turnId) }]);
    return begun;
  };
  const end = async (turnId: string, turn: Turn): Promise<void> => {
    const begun = await turn.begun;
    if (begun === null) return;
    const after = await keep(begun.tree);
    const others = active.end({ sessionId, turnId });
    if (after === null) return;
    const listed = await begun.tree.changes({ kind: 'trees', from: begun.before.tree, to: after.tree });
    if (!listed.ok) return;
    const { entries } = listed.value;
    const paths = entries.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
    const own = deps.named();
    const foreign = paths.filter((path) => others.has(path) && !own.has(path));
    const row = { ...rowOf(begun, turnId), after, paths: paths.slice(0, mostPaths), foreign };
    await deps.write([{ type: 'put-checkpoint', row }]);
    const sum = (key: 'additions' | 'deletions') => entries.reduce((total, entry) => total + (entry[key] ?? 0), 0);
    await deps.onChanged(turnId, { files: entries.length, additions: sum('additions'), deletions: sum('deletions') });
  };

  return {
    prepare: () =>
      track(openTree().then((opened): Promise<Result<unknown>> | null => opened && opened.tree.snapshot())),
    begin(turnId) {
      if (!deps.project()?.trusted || turns.has(turnId)) return;
      let isLate = false;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        isLate = true;
        late.resolve();
      }, mostMs);
      const begun = begin(turnId, () => isLate).catch((error: unknown) => {
        deps.onError(error);
        return null;
      });
      const done = begun.then(() => clearTimeout(timer));
      turns.set(turnId, { begun, ready: Promise.race([done, late.promise]) });
      track(done);
    },
    ready: (turnId) => turns.get(turnId)?.ready ?? Promise.resolve(),
    ended(turnId) {
      const turn = turns.get(turnId);
      if (!turn) return;
      turns.delete(turnId);
      track(end(turnId, turn));
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const mostPaths = 10_000;
