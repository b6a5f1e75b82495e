import { fail, ok, type Result, type Project } from '@liminal/contracts';
import type { SessionDirectory } from '../../bus/directory.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import { pathsOfCalls } from '@liminal/domain/review/changes-of-calls';
import { runningTurnId } from '@liminal/domain/session/session';
import type { Git } from '../../git/git.ts';
import { absentProvider } from '../../providers/kit/absent-provider.ts';
import type { CliProvider, LoadOptions } from '../../providers/provider.ts';
import type { ProviderRegistry } from '../../providers/registry.ts';
import type { ProjectService } from '../../projects/project-service.ts';
import type { SessionPlaces } from '../../projects/session-places.ts';
import type { SessionRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { createAgentLink, type AgentLink } from '../shell/agent-link.ts';
import type { ItemWriter } from '../writing/item-writer.ts';
import { storedSession } from '../history/stored-session.ts';
import { createActiveTurns, type SessionTurns } from '../review/active-turns.ts';
import { listComments } from '../review/comment-list.ts';
import { createFolderWatching, type FolderWatching } from '../review/folder-watching.ts';
import { forgetRefs, refsOfSession } from '../review/prune-checkpoints.ts';
import { createTurnCheckpoints, type TurnCheckpoints } from '../review/turn-checkpoints.ts';
import { createChangePlacer } from '../shell/place-changes.ts';
import { readChangedFile } from '../shell/read-changed-file.ts';
import { createSessionItems } from '../shell/session-items.ts';
import { summaryOf } from '../shell/session-row.ts';
import { createSessionShell, type SessionShell } from '../shell/session-shell.ts';

export type OpenSession = {
  readonly shell: SessionShell;
  readonly link: AgentLink;
  readonly checkpoints: TurnCheckpoints;
  readonly watching: FolderWatching;
  readonly turns: SessionTurns;
};

export type SessionRosterDeps = {
  readonly store: Store;
  readonly writer: ItemWriter;
  readonly bus: SessionBus;
  readonly directory: SessionDirectory;
  readonly registry: ProviderRegistry;
  readonly projects: ProjectService;
  readonly places: SessionPlaces;
  readonly git: Git;
  readonly now: () => string;
  readonly newId: () => string;
  readonly onError: (error: unknown, sessionId: string) => void;
  readonly historyBytes: number;
  /** The longest a message or a first tool call waits for its folder to be recorded. */
  readonly recordMs?: number;
  /** Called when an agent has started. */
  readonly onWoken?: () => void;
};

const importedSentence = 'This session was imported from a file. You can read it, but not continue it.';

/** How many recent turns to search for files named by an agent's calls. */
const recentTurns = 3;

export type SessionRoster = ReturnType<typeof createSessionRoster>;

/** All sessions: every one on disk, the recently used ones in memory. */
export function createSessionRoster(deps: SessionRosterDeps) {
  const { store, directory, places } = deps;
  const open = new Map<string, OpenSession>();
  /** When a session in memory was last requested. */
  const askedFor = new Map<string, number>();
  const active = createActiveTurns();
  let isResting = false;
  let onRecordChanged: (opened: OpenSession) => void = () => {};

  const loadOptions = (row: SessionRow): LoadOptions => {
    const project = places.project(row);
    const trusted = project.ok && project.value.trusted;
    const { isPlanning } = row.info;
    return {
      ...(project.ok ? { projectDir: project.value.dir } : {}),
      providerOptions: { ...row.options, trusted, ...(isPlanning !== undefined && { isPlanning }) },
      // A message that waits for this start hasn't been sent yet.
      unused: store.turnsBefore(row.sessionId, null, 2).every((turn) => turn.awaitsAgent === true),
    };
  };
  const dirOf = (row: SessionRow): string | undefined => {
    const project = places.project(row);
    return project.ok ? project.value.dir : undefined;
  };
  /** The options to start the agent with, if it may start: trust is checked every time. */
  const startOptions = (row: SessionRow): Result<LoadOptions> => {
    const allowed = mayStart(row);
    return allowed.ok ? ok(loadOptions(row)) : allowed;
  };
  const mayStart = (row: SessionRow): Result<null> =>
    row.imported ? fail('NOT_SUPPORTED', importedSentence) : mayStartIn(providerOf(row.cliType), places.project(row));
  const providerOf = (cliType: string): CliProvider =>
    deps.registry.all().find((provider) => provider.cliType === cliType) ?? absentProvider(cliType);

  /** `first` runs before anything the agent has reported is handled. */
  const add = (row: SessionRow, first: (opened: OpenSession) => void = () => {}): OpenSession => {
    const { sessionId } = row;
    // Read the options on demand: the user may change them.
    const link: AgentLink = createAgentLink(
      providerOf(row.cliType),
      sessionId,
      () => startOptions(shell.row()),
      () => {
        shell.touch();
        deps.onWoken?.();
      },
      // If the agent's tool calls wait for the record, its message doesn't have to.
      (turnId) => (link.provider.beforeToolCall ? Promise.resolve() : checkpoints.ready(turnId)),
    );
    const projectOf = () => {
      const project = places.project(shell.row());
      return project.ok ? project.value : null;
    };
    const watching = createFolderWatching({
      git: deps.git,
      project: projectOf,
      now: deps.now,
      publish: (changed) => shell.publishFolderChanged(changed),
      onError: (error) => deps.onError(error, sessionId),
    });
    const turns = active.of(sessionId);
    const checkpoints = createTurnCheckpoints({
      sessionId,
      watching,
      git: deps.git,
      project: projectOf,
      active: turns,
      callsWait: link.provider.beforeToolCall !== undefined,
      isRunning: (turnId) => runningTurnId(shell.session()) === turnId,
      named: () => pathsOfCalls(shell.pages.read(null, recentTurns, Infinity).entries, projectOf()?.dir ?? ''),
      newId: deps.newId,
      now: deps.now,
      ...(deps.recordMs !== undefined && { mostMs: deps.recordMs }),
      write: (writes) => shell.recordReview(writes),
      async onChanged(turnId, changes) {
        await shell.addTurnChanges(turnId, changes);
        // Commented lines may have moved or gone.
        const comments = await listComments({ store, places }, shell);
        if (comments.length > 0) await shell.publishComments(comments);
      },
      onError: (error) => deps.onError(error, sessionId),
    });
    const shell: SessionShell = createSessionShell({
      ...storedSession(store, row),
      row,
      link,
      checkpoints,
      changes: createChangePlacer({ read: (path) => readChangedFile(dirOf(shell.row()), path) }),
      place: places.of,
      readPlace: places.read,
      mayStart: () => mayStart(shell.row()).ok,
      isTrusted: () => loadOptions(shell.row()).providerOptions?.trusted === true,
      items: createSessionItems(sessionId, store, deps.writer, deps.now),
      store,
      writer: deps.writer,
      bus: deps.bus,
      directory,
      now: deps.now,
      onError: (error) => deps.onError(error, sessionId),
      historyBytes: deps.historyBytes,
    });
    if (isResting) shell.rest();
    const opened = { shell, link, checkpoints, watching, turns };
    open.set(sessionId, opened);
    first(opened);
    shell.listen();
    link.provider.beforeToolCall?.(sessionId, checkpoints.beforeCall);
    link.provider.onRecordChanged?.(sessionId, () => onRecordChanged(opened));
    return opened;
  };

  for (const row of store.sessions()) {
    const { lastError } = row;
    const activity = row.life === 'dead' ? 'idle' : 'asleep';
    const status = { state: row.life, activity, isAlive: false, ...(lastError ? { lastError } : {}) } as const;
    directory.put(summaryOf(row, status, { place: places.of(row) }));
  }

  /** The session, loaded into memory if necessary. */
  const get = (sessionId: string): Result<OpenSession, 'SESSION_NOT_FOUND'> => {
    const known = open.get(sessionId);
    if (known) {
      askedFor.set(sessionId, performance.now());
      return ok(known);
    }
    const row = store.session(sessionId);
    return row ? ok(add(row)) : fail('SESSION_NOT_FOUND', 'No session has this id.');
  };

  const leaveMemory = async ({ shell, link, watching, turns }: OpenSession): Promise<void> => {
    watching.close();
    turns.close();
    open.delete(shell.sessionId);
    askedFor.delete(shell.sessionId);
    // In the same tick: somebody who opens it again from now on gets listeners that stay.
    const forgotten = link.provider
      .forgetSession?.(shell.sessionId)
      .catch((error: unknown) => deps.onError(error, shell.sessionId));
    await link.close();
    await forgotten;
  };
  const drop = (opened: OpenSession): Promise<void> => {
    directory.remove(opened.shell.sessionId);
    return leaveMemory(opened);
  };
  const lastUsed = ({ shell }: OpenSession): number => Math.max(shell.lastActive(), askedFor.get(shell.sessionId) ?? 0);

  return {
    add,
    get,
    loadOptions,
    /** Whether this session's agent may start in its folder. */
    mayStart,
    /** Called when a session was used elsewhere. */
    onRecordChanged(listener: (opened: OpenSession) => void): void {
      onRecordChanged = listener;
    },
    all: (): readonly OpenSession[] => [...open.values()],
    has: (sessionId: string) => open.has(sessionId) || store.session(sessionId) !== undefined,
    /** Runs a task on a session, or fails if there is none. */
    async with<T>(sessionId: string, then: (opened: OpenSession) => Promise<Result<T>>): Promise<Result<T>> {
      const found = get(sessionId);
      return found.ok ? then(found.value) : found;
    },
    /** Deletes a session and ends its agent, even one that is starting or ending. */
    async remove(opened: OpenSession): Promise<void> {
      // Not the session's own folder: a worktree may be parked, and its refs are in the project's repository.
      const project = deps.projects.get(opened.shell.row().projectId);
      // A turn that was just ended is being recorded. Nobody would find the refs that it gets later.
      await opened.checkpoints.idle();
      const refs = refsOfSession(store, opened.shell.sessionId);
      await opened.shell.remove();
      await drop(opened);
      // Nothing else refers to these refs.
      if (project.ok && project.value.trusted && refs.length > 0) await forgetRefs(deps.git, project.value.dir, refs);
    },
    /** A page starts or stops showing a session's changes. */
    watchChanges(sessionId: string, page: string, isShown: boolean): void {
      const found = get(sessionId);
      if (!found.ok) return;
      const { shell, watching } = found.value;
      if (!isShown) return watching.release(`review ${page}`);
      // With full coverage there is nothing to report until something changes.
      void watching.hold(`review ${page}`).then((coverage) => {
        if (coverage !== 'folder') shell.publishFolderChanged({ at: deps.now(), watching: coverage });
      });
    },
    /** Closes a session here: another machine owns it now, or its start failed. */
    async letGo(sessionId: string): Promise<void> {
      const opened = open.get(sessionId);
      opened?.shell.close();
      directory.remove(sessionId);
      if (opened) await drop(opened);
    },
    /** When it was last used or requested, by the clock of `lastActive`. */
    lastUsed,
    /** Unloads it from memory, unless somebody has requested it since. */
    async unload(opened: OpenSession): Promise<void> {
      const before = lastUsed(opened);
      await opened.shell.settled();
      await deps.writer.flush(opened.shell.sessionId);
      if (lastUsed(opened) !== before || open.get(opened.shell.sessionId) !== opened) return;
      opened.shell.close();
      await leaveMemory(opened);
    },
    /** The server is stopping: no session starts anything more. */
    rest(): void {
      isResting = true;
      for (const { shell } of open.values()) shell.rest();
    },
    setTrouble(sessionId: string, error: Parameters<SessionShell['setTrouble']>[0]): void {
      open.get(sessionId)?.shell.setTrouble(error);
    },
    written(sessionId: string, row: Parameters<SessionShell['written']>[0]): void {
      open.get(sessionId)?.shell.written(row);
    },
  };
}

/** Whether an agent may start in this folder: one that follows a folder's own configuration only if it is trusted. */
export function mayStartIn(provider: CliProvider, project: Result<Project>): Result<null> {
  if (provider.capabilities.untrustedFolders) return ok(null);
  if (!project.ok) return project;
  const { trusted, name } = project.value;
  if (trusted) return ok(null);
  const sentence = `${provider.name} reads the folder's own configuration. Trust "${name}" first, then try again.`;
  return fail('PROJECT_NOT_TRUSTED', sentence);
}
