import {
  fail,
  ok,
  type ChangedFile,
  type ChangedFileQuery,
  type ChangedFileReply,
  type ChangesNotice,
  type ChangesQuery,
  type ChangesReply,
  type CheckpointState,
  type Project,
  type Result,
  type UpsertObject,
} from '@liminal/contracts';
import {
  changesOfCalls,
  filesOfCalls,
  patchOfCalls,
  pathsOfCalls,
  type CallChanges,
} from '@liminal/domain/review/changes-of-calls';
import { runningTurnId } from '@liminal/domain/session/session';
import { isLink, isSubmodule } from '../../git/changed-entries.ts';
import type { Comparison, Git, ListedEntry, RecordedFolder, WorkingTree } from '../../git/git.ts';
import { isOfRepository } from '../../git/repository.ts';
import type { SessionPlaces } from '../../projects/session-places.ts';
import type { Store } from '../../store/store.ts';
import type { OpenSession, SessionRoster } from '../service/session-roster.ts';
import {
  checkpointsOf,
  editedWithout,
  pathsBySession,
  recordedOf,
  withNow,
  type Recorded,
} from './checkpoint-scopes.ts';
import {
  missingTurns,
  noCheckpoint,
  noticeOfFailure,
  noticesOf,
  noTurn,
  notTrusted,
  prunedCheckpoint,
} from './changes-notices.ts';

export type SessionChangesDeps = {
  readonly roster: SessionRoster;
  readonly places: SessionPlaces;
  readonly git: Git;
  readonly store: Pick<Store, 'checkpoints' | 'turn'>;
};

const mostFiles = 10_000;
/** How far back the agent's calls are read. */
const mostTurns = 200;
const recentTurns = 10;

/** What changed in a session's folder: from the working tree if git may run there, otherwise from the agent's calls. */
export function createSessionChanges({ roster, places, git, store }: SessionChangesDeps) {
  /** The working tree, or why it can't be read. */
  const openTree = async (
    project: Project,
    { scope }: ChangesQuery,
  ): Promise<RecordedFolder | { notice: ChangesNotice }> => {
    if (!project.trusted) return { notice: notTrusted };
    // Recorded trees may be in our own repository; the other scopes need commits, which only a real one has.
    const isRecorded = scope === 'turn' || scope === 'session';
    const opened = isRecorded ? await git.openRecorded(project.dir) : await git.open(project.dir);
    if (!opened.ok) return { notice: noticeOfFailure(opened.failure) };
    return 'isShadow' in opened.value ? opened.value : { tree: opened.value, isShadow: false };
  };

  const listCalls = (
    project: Project,
    calls: CallChanges,
    turnId: string | null,
    notice: ChangesNotice | null,
  ): ChangesReply => ({
    source: 'calls',
    ...(notice && { notice }),
    notices: notice === null ? [] : [notice],
    folder: project.dir,
    branch: null,
    ...(turnId !== null && { turnId }),
    checkpoint: 'none',
    ...cut(filesOfCalls(calls)),
    notKept: [],
  });

  const changes = async (opened: OpenSession, project: Project, query: ChangesQuery): Promise<Result<ChangesReply>> => {
    const asked = askedTurn(opened, query);
    if (!asked.ok) return asked;
    const { entries, turnId } = asked.value;
    const fallBack = (notice: ChangesNotice | null, checkpoint: CheckpointState = 'none') =>
      ok({ ...listCalls(project, changesOfCalls(entries(), project.dir), turnId, notice), checkpoint });
    const found = await openTree(project, query);
    if ('notice' in found) return fallBack(found.notice);
    const recorded = await recordedFor(opened, found.tree, query, turnId);
    const comparison = await comparisonOf(found.tree, query, recorded);
    if (!comparison.ok) return fallBack(noticeOfFailure(comparison.failure));
    if (comparison.value === null) {
      // Before the first message there was nothing to record, so nothing is missing.
      if (turnId === null && entries().length === 0) return fallBack(query.scope === 'turn' ? noTurn : null);
      return recorded.state === 'pruned'
        ? fallBack(prunedCheckpoint, 'pruned')
        : fallBack(noCheckpoint(recorded.isUnfinished ? 'unfinished' : query.scope === 'turn' ? 'turn' : 'session'));
    }
    const listed = await found.tree.changes(comparison.value);
    if (!listed.ok) {
      return listed.failure.code === 'INVALID_REQUEST' ? listed : fallBack(noticeOfFailure(listed.failure));
    }
    const rows = checkpointsOf(store, opened.shell.sessionId);
    const own = pathsBySession(rows);
    // With checkpoints there is no need to read all calls of a long session.
    const named = pathsOfCalls(entriesOf(opened, rows.length > 0 ? recentTurns : mostTurns), project.dir);
    const isOwn = ({ path }: ListedEntry): boolean => own.has(path) || named.has(path);
    const files = listed.value.entries.map((entry) => fileOf(entry, isOwn(entry)));
    // Notices about our own repository would be of no use to the user.
    const special = found.isShadow ? [] : noticesOf(listed.value);
    const unrecorded =
      query.scope === 'session'
        ? editedWithout(rows, entriesOf(opened, recentTurns), project.dir, files).filter(isPlainPath)
        : [];
    const notices = unrecorded.length === 0 ? special : [...special, missingTurns(unrecorded)];
    const [notice] = notices;
    const { base } = listed.value;
    return ok({
      source: found.isShadow ? 'shadow' : 'git',
      ...(notice && { notice }),
      notices,
      folder: project.dir,
      branch: found.isShadow ? null : listed.value.state.branch,
      ...(typeof base === 'string' && { base }),
      ...(turnId !== null && { turnId }),
      checkpoint: recorded.state,
      ...cut(files),
      notKept: [...(recorded.pairs.length > 0 ? recorded.notKept : listed.value.notKept)],
    });
  };

  const changedFile = async (
    opened: OpenSession,
    project: Project,
    query: ChangedFileQuery,
  ): Promise<Result<ChangedFileReply>> => {
    const { path, context, whitespace, full = false } = query;
    if (!isPlainPath(path)) return fail('PATH_REFUSED', 'The path must be relative to the project folder.');
    const asked = askedTurn(opened, query);
    if (!asked.ok) return asked;
    const found = await openTree(project, query);
    if ('tree' in found) {
      const recorded = await recordedFor(opened, found.tree, query, asked.value.turnId);
      const comparison = await comparisonOf(found.tree, query, recorded);
      if (!comparison.ok) return comparison;
      if (comparison.value !== null) return found.tree.patch(comparison.value, path, { context, whitespace, full });
    }
    const diffs = changesOfCalls(asked.value.entries(), project.dir).get(path);
    return diffs
      ? ok(patchOfCalls(path, diffs))
      : fail('FILE_NOT_FOUND', `No edit call of the agent changed "${path}".`);
  };

  const recordedFor = async (
    { shell, checkpoints }: OpenSession,
    { repository }: WorkingTree,
    { scope }: ChangesQuery,
    turnId: string | null,
  ): Promise<Recorded> => {
    if (scope !== 'turn' && scope !== 'session') return { state: 'none', pairs: [], notKept: [] };
    // A caller that asks right after a turn's end wants its changes, not a notice that they are being recorded.
    const ending = await checkpoints.ending();
    const running = runningTurnId(shell.session());
    const isOpen = (id: string): boolean => id === running || ending.has(id);
    // A folder that became a repository since has its older trees in another one.
    const here = checkpointsOf(store, shell.sessionId).filter(({ gitDir }) => isOfRepository(repository, gitDir));
    return recordedOf(scope, here, turnId, isOpen);
  };

  const inProject = <T>(sessionId: string, then: (opened: OpenSession, project: Project) => Promise<Result<T>>) =>
    roster.with<T>(sessionId, async (opened) => {
      const project = places.project(opened.shell.row());
      return project.ok ? then(opened, project.value) : project;
    });

  return {
    changes: (sessionId: string, query: ChangesQuery) =>
      inProject(sessionId, (opened, project) => changes(opened, project, query)),
    /** Returns immediately; the work it starts runs in the background. */
    prepareTurn: (sessionId: string) =>
      roster.with<null>(sessionId, async ({ checkpoints }) => {
        checkpoints.prepare();
        return ok(null);
      }),
    changedFile: (sessionId: string, query: ChangedFileQuery) =>
      inProject(sessionId, (opened, project) => changedFile(opened, project, query)),
  };
}

type Asked = { readonly turnId: string | null; readonly entries: () => readonly UpsertObject[] };

/** Scope `turn` is about one turn, the newest unless named; every other scope is about all turns. */
function askedTurn(opened: OpenSession, { scope, turnId }: ChangesQuery): Result<Asked> {
  if (scope !== 'turn') return ok({ turnId: null, entries: () => entriesOf(opened) });
  const { pages } = opened.shell;
  const position = turnId === undefined ? null : pages.positionOf(turnId);
  if (position === undefined || (turnId !== undefined && position === null)) {
    return fail('TURN_NOT_FOUND', 'There is no such turn in this session, or its message is still queued.');
  }
  // Only this turn, however many there are.
  const page = pages.read(position === null ? null : position + 1, 1, Infinity);
  const wanted = turnId ?? page.turns.at(-1)?.turnId ?? null;
  return ok({ turnId: wanted, entries: () => page.entries.filter((entry) => entry.turnId === wanted) });
}

const entriesOf = ({ shell }: OpenSession, turns = mostTurns): readonly UpsertObject[] =>
  shell.pages.read(null, turns, Infinity).entries;

async function comparisonOf(
  tree: WorkingTree,
  { scope, base }: ChangesQuery,
  { pairs }: Recorded,
): Promise<Result<Comparison | null>> {
  switch (scope) {
    case 'uncommitted':
    case 'staged':
    case 'unstaged':
      return ok({ kind: scope });
    case 'base':
      return ok({ kind: 'base', ...(base !== undefined && { base }) });
    case 'turn':
    case 'session': {
      const [first] = pairs;
      if (first === undefined) return ok(null);
      if (pairs.length === 1) return ok({ kind: 'trees', ...first });
      const now = pairs.some(({ to }) => to === null) ? await tree.snapshot() : null;
      if (now && !now.ok) return now;
      const joined = await tree.join(withNow(pairs, now?.value.tree ?? ''));
      return joined.ok ? ok({ kind: 'trees', ...joined.value }) : joined;
    }
  }
}

function fileOf(entry: ListedEntry, bySession: boolean): ChangedFile {
  const { path, oldPath, change, additions, deletions, binary, size, staged, oldId, newId } = entry;
  const mode = newId === null ? entry.oldMode : entry.newMode;
  return {
    path,
    ...(oldPath !== undefined && { oldPath }),
    change,
    ...(additions !== undefined && { additions }),
    ...(deletions !== undefined && { deletions }),
    binary,
    size,
    bySession,
    staged,
    oldId,
    newId,
    ...(isLink(mode) && { kind: 'link' as const }),
    ...(isSubmodule(mode) && { kind: 'submodule' as const }),
  };
}

/** The most important part of a very long list. */
function cut(files: readonly ChangedFile[]): Pick<ChangesReply, 'files' | 'total' | 'truncated'> {
  const rank = ({ change, bySession }: ChangedFile): number => (change === 'conflicted' ? 0 : bySession ? 1 : 2);
  const isLong = files.length > mostFiles;
  const kept = isLong ? files.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostFiles) : files;
  return { files: [...kept], total: files.length, truncated: isLong };
}

const isPlainPath = (path: string): boolean =>
  !path.startsWith('/') && !path.includes('\0') && !path.split('/').some((part) => part === '..' || part === '.git');
