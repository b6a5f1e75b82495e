import { setTimeout as wait } from 'node:timers/promises';
import { ok, type Project, type TurnChanges, type UpsertObject } from '@liminal/contracts';
import type { Git, TakenSnapshot, WorkingTree } from '../../git/git.ts';
import type { CallHold } from '../../providers/provider.ts';
import type { CheckpointRow, KeptTree } from '../../store/review-rows.ts';
import type { StoreWrite } from '../../store/rows.ts';
import type { SessionTurns } from './active-turns.ts';
import type { FolderWatching } from './folder-watching.ts';
import { pathsIn } from './paths-in-folders.ts';
import type { Recorded, RecordedAhead } from './record-ahead.ts';
import { createRecordWait, type RecordWait } from './record-wait.ts';

export type TurnCheckpointsDeps = {
  readonly sessionId: string;
  readonly git: Git;
  /** The session's project, if it still exists. */
  readonly project: () => Project | null;
  readonly active: Pick<SessionTurns, 'begin' | 'end'>;
  readonly watching: Pick<FolderWatching, 'hold' | 'release' | 'mark'>;
  readonly isRunning: (turnId: string) => boolean;
  /** The agent's tool calls wait for the record, so its messages don't have to. */
  readonly callsWait?: boolean;
  /** The files that this session's edit calls name. */
  readonly named: () => ReadonlySet<string>;
  readonly newId: () => string;
  readonly now: () => string;
  /** Durable once it resolves. */
  readonly write: (writes: readonly StoreWrite[]) => Promise<void>;
  /** Reports what changed in the folder during a turn. */
  readonly onChanged: (turnId: string, changes: TurnChanges) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** The longest a message or a first tool call waits for the folder to be recorded. */
  readonly mostMs?: number;
};

type Kept = { readonly row: KeptTree; readonly taken: TakenSnapshot };
type Early = { readonly mark: number; readonly taken: TakenSnapshot };
type Begun = { readonly tree: WorkingTree; readonly folder: string; before: Kept };
/** A turn, with the record of its folder from before it; null if there is none. */
type Turn = {
  readonly begun: Promise<Begun | null>;
  readonly waiting: RecordWait;
  /** Files that edit calls named, relative to the folder. */
  readonly edits: Set<string>;
  /** Settles when the git-ignored ones are in the first record. */
  including: Promise<void>;
};

export type TurnCheckpoints = {
  /** The user started typing: records the folder for the next turn, valid if nothing changes until then. */
  prepare(): void;
  /** The folder was recorded while the agent started, for the first turn if nothing changes until then. */
  adopt(ahead: RecordedAhead): void;
  /** A message for this turn is sent once it is written: checks meanwhile whether an early record is still valid. */
  expect(turnId: string): void;
  /** A message is being sent to the agent: records the folder. */
  begin(turnId: string): void;
  /** Resolves when the folder is recorded, or two seconds after the first call: the turn then has no checkpoint. */
  ready(turnId: string): Promise<void>;
  /** Holds back the agent's tool calls. A turn that the agent started by itself is recorded at its first call. */
  beforeCall: CallHold;
  /** A call of the agent names files that it edits, or is about to edit. */
  noteCall(item: UpsertObject): void;
  /** Records the folder again, and the changes. */
  ended(turnId: string): void;
  /**
   * Resolves when all started and ended turns are recorded, or after two seconds. Returns the ended ones that
   * aren't yet.
   */
  ending(): Promise<ReadonlySet<string>>;
  /** Resolves when everything started is done. */
  idle(): Promise<void>;
};

/** Records a session's folder before and after each turn. A failure here never fails what a user or an agent does. */
export function createTurnCheckpoints(deps: TurnCheckpointsDeps): TurnCheckpoints {
  const { sessionId, git, active, now, newId, mostMs = 2_000 } = deps;
  const turns = new Map<string, Turn>();
  const running = new Set<Promise<unknown>>();
  /** Ended turns whose folder is being recorded again. */
  const ending = new Map<string, Promise<void>>();
  /** Calls whose files are known. */
  const noted = new Set<string>();
  let early: Promise<Early | null> | null = null;
  let ahead: RecordedAhead | null = null;
  let expected: { readonly turnId: string; readonly early: Promise<Recorded | null> } | null = null;
  const track = <T>(task: Promise<T>): void => {
    const done = task.catch(deps.onError).finally(() => running.delete(done));
    running.add(done);
  };

  /** No git in an untrusted folder. The user may withdraw the trust during a turn. */
  const isTrusted = (): boolean => deps.project()?.trusted === true;
  const openTree = async (): Promise<{ tree: WorkingTree; folder: string } | null> => {
    const project = deps.project();
    if (!project?.trusted) return null;
    const opened = await git.openRecorded(project.dir);
    return opened.ok ? { tree: opened.value.tree, folder: project.dir } : null;
  };
  /** The record made while the user typed or the agent started; used once. */
  const takeEarly = async (): Promise<Recorded | null> => {
    const begun = ahead;
    ahead = null;
    const recorded = await early;
    early = null;
    const now = recorded && (await deps.watching.mark());
    if (!now || now.mark !== recorded.mark) return begun?.take() ?? null;
    begun?.stop();
    return { tree: now.tree, taken: recorded.taken };
  };
  const recordEarly = async (): Promise<Early | null> => {
    await deps.watching.hold('typing');
    const before = await deps.watching.mark();
    const taken = before && (await before.tree.take());
    return before && taken?.ok ? { mark: before.mark, taken: taken.value } : null;
  };
  const keep = async (
    tree: WorkingTree,
    given: TakenSnapshot,
    at = now(),
    name = `turn/${newId()}`,
  ): Promise<Kept | null> => {
    const kept = await tree.keep(name, given);
    if (!kept.ok) return null;
    const { snapshot, state, ref } = kept.value;
    const { head, branch, operation } = state;
    const { tree: id, raw, bytes, notKept, ignoreState } = snapshot;
    const row = { tree: id, raw, bytes, ref, head, branch, operation, at, notKept: [...notKept], ignoreState };
    return { row, taken: { snapshot, state } };
  };
  const rowOf = ({ tree, folder, before }: Begun, turnId: string): CheckpointRow => ({
    sessionId,
    turnId,
    folder,
    gitDir: tree.repository.gitDir,
    before: before.row,
    after: null,
    paths: [],
    foreign: [],
    pruned: false,
  });

  const begin = async (turnId: string, waiting: RecordWait): Promise<Begun | null> => {
    if (deps.callsWait) await waiting.agentFirst();
    const recorded = await (expected?.turnId === turnId ? expected.early : takeEarly());
    expected = null;
    const folder = deps.project()?.dir;
    const opened = recorded && folder !== undefined ? { tree: recorded.tree, folder } : await openTree();
    if (opened === null) return null;
    const taken = recorded ? ok(recorded.taken) : await opened.tree.take();
    // The agent may have started working: this record may not be the state before the turn.
    if (!taken.ok || waiting.isOver) return null;
    active.begin({ sessionId, turnId, gitDir: opened.tree.repository.gitDir, named: deps.named });
    // Read before the agent may start: its files are younger.
    const at = now();
    // Git has the content. The ref only protects it from garbage collection weeks later, so no message waits for it.
    waiting.end();
    if (!deps.callsWait) await waiting.agentFirst();
    const before = isTrusted() ? await keep(opened.tree, taken.value, at) : null;
    if (before === null) {
      active.end({ sessionId, turnId });
      return null;
    }
    const begun = { ...opened, before };
    await deps.write([{ type: 'put-checkpoint', row: rowOf(begun, turnId) }]);
    void deps.watching.hold(`turn ${turnId}`);
    return begun;
  };
  /** Files named by edit calls are read whatever their size and time, even if git ignores them. */
  const keepAfter = async (tree: WorkingTree, edits: ReadonlySet<string>): Promise<Kept | null> => {
    const taken = await tree.take();
    if (!taken.ok) return null;
    const { snapshot, state } = taken.value;
    const whole = await tree.include(snapshot, [...edits], 'all');
    return keep(tree, { snapshot: { ...snapshot, ...(whole.ok && whole.value) }, state });
  };
  const noteEdits = (turnId: string, files: readonly string[]): Promise<void> => {
    const turn = turns.get(turnId);
    if (!turn) return Promise.resolve();
    turn.waiting.hurry();
    turn.including = turn.including
      .then(async () => {
        const begun = await turn.begun;
        const fresh = files.flatMap((file) => pathsIn(foldersOf(begun), file)).filter((path) => !turn.edits.has(path));
        if (begun === null || fresh.length === 0 || !isTrusted()) return;
        for (const path of fresh) turn.edits.add(path);
        const { row, taken } = begun.before;
        const whole = await begun.tree.include(row, fresh, 'ignored');
        if (!whole.ok || whole.value.tree === row.tree) return;
        const snapshot = { ...taken.snapshot, ...whole.value };
        const again = await keep(begun.tree, { ...taken, snapshot }, row.at, row.ref.replace(/^refs\/liminal\//, ''));
        if (again === null) return;
        begun.before = again;
        await deps.write([{ type: 'put-checkpoint', row: rowOf(begun, turnId) }]);
      })
      .catch(deps.onError);
    track(turn.including);
    return turn.including;
  };
  const end = async (turnId: string, turn: Turn): Promise<void> => {
    const begun = await turn.begun;
    await turn.including;
    if (begun === null || !isTrusted()) return;
    const after = await keepAfter(begun.tree, turn.edits);
    const others = active.end({ sessionId, turnId });
    if (after === null) return;
    const listed = await begun.tree.changes({ kind: 'trees', from: begun.before.row.tree, to: after.row.tree });
    if (!listed.ok) return;
    const { entries } = listed.value;
    const paths = entries.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
    const own = deps.named();
    const foreign = paths.filter((path) => others.has(path) && !own.has(path));
    const row = { ...rowOf(begun, turnId), after: after.row, paths: paths.slice(0, mostPaths), foreign };
    await deps.write([{ type: 'put-checkpoint', row }]);
    const sum = (key: 'additions' | 'deletions') => entries.reduce((total, entry) => total + (entry[key] ?? 0), 0);
    await deps.onChanged(turnId, { files: entries.length, additions: sum('additions'), deletions: sum('deletions') });
  };

  const start = (turnId: string): void => {
    if (!isTrusted() || turns.has(turnId)) return;
    const waiting = createRecordWait(mostMs);
    const begun = begin(turnId, waiting).catch((error: unknown) => {
      active.end({ sessionId, turnId });
      deps.onError(error);
      return null;
    });
    const done = begun.then(() => deps.watching.release('typing')).finally(waiting.end);
    turns.set(turnId, { begun, waiting, edits: new Set(), including: Promise.resolve() });
    track(done);
  };
  const hurryAll = (): void => turns.forEach(({ waiting }) => waiting.hurry());
  const ready = (turnId: string): Promise<void> => turns.get(turnId)?.waiting.ready() ?? Promise.resolve();

  return {
    prepare() {
      if (!isTrusted()) return;
      const stillCounts = async (known: Early | null): Promise<Early | null> =>
        known !== null && (await deps.watching.mark())?.mark === known.mark ? known : recordEarly();
      early = (early ?? Promise.resolve(null)).then(stillCounts).catch((error: unknown) => {
        deps.onError(error);
        return null;
      });
      track(early);
    },
    adopt(recorded) {
      ahead?.stop();
      ahead = recorded;
    },
    expect(turnId) {
      if (deps.callsWait || !isTrusted() || turns.has(turnId)) return;
      expected = { turnId, early: takeEarly().catch(() => null) };
    },
    begin: start,
    ready,
    async beforeCall({ turnId, edits }) {
      if (deps.isRunning(turnId)) start(turnId);
      turns.get(turnId)?.waiting.hurry();
      await ready(turnId);
      // A call can change files immediately, so it also waits until the ref and the row are written.
      const written = Promise.all([turns.get(turnId)?.begun, edits.length > 0 && noteEdits(turnId, edits)]);
      await Promise.race([written, wait(mostMs, undefined, { ref: false })]);
    },
    noteCall(item) {
      if (item.type !== 'tool_call' || item.toolKind !== 'edit' || item.status === 'complete') return;
      if (!turns.has(item.turnId) || noted.has(item.callId)) return;
      const files = [...(item.locations ?? []), ...(item.diffs ?? [])].map(({ path }) => path);
      if (files.length === 0) return;
      noted.add(item.callId);
      void noteEdits(item.turnId, files);
    },
    ended(turnId) {
      const turn = turns.get(turnId);
      if (!turn) return;
      turn.waiting.hurry();
      turns.delete(turnId);
      noted.clear();
      const recorded = end(turnId, turn).finally(() => {
        // Also if recording failed: otherwise later turns of other sessions would overlap with this one forever.
        active.end({ sessionId, turnId });
        ending.delete(turnId);
        deps.watching.release(`turn ${turnId}`);
      });
      ending.set(turnId, recorded);
      track(recorded);
    },
    async ending() {
      hurryAll();
      const recorded = Promise.allSettled([...ending.values(), ...turns.values().map(({ begun }) => begun)]);
      if (ending.size + turns.size > 0) await Promise.race([recorded, wait(mostMs, undefined, { ref: false })]);
      return new Set(ending.keys());
    },
    async idle() {
      hurryAll();
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const mostPaths = 10_000;
const foldersOf = (begun: Begun | null): string[] => (begun ? [begun.folder, begun.tree.repository.folder] : []);
