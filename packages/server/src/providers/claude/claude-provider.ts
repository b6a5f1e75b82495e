import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProviderSession } from '@liminal/contracts';
import { isoTime } from '@liminal/domain/time/iso-time';
import { projectFolder } from '../kit/project-folder.ts';
import { type HeldEvents, createHeldEvents } from '../kit/held-events.ts';
import { present } from '../kit/read-json.ts';
import { createSessionHub } from '../kit/session-hub.ts';
import { createSessionIds } from '../kit/session-ids.ts';
import { type SessionEntry, createSessionTable } from '../kit/session-table.ts';
import type { Availability, CallHold, CliProvider, LoadOptions } from '../provider.ts';
import { ProviderError, asProviderError } from '../provider-error.ts';
import { type ClaudeDeps, type ClaudeLimits, defaultLimits } from './process/claude-deps.ts';
import { addAgentHint } from '../../program/agent-packages.ts';
import { ownExecutable } from './process/claude-host.ts';
import { bundledClaude, bundledVersion, hasSdk } from './process/bundled-claude.ts';
import { listRecordedSessions } from './process/claude-sdk.ts';
import { type ClaudeSession, createClaudeSession } from './session/claude-session.ts';
import { forkRecord, isUnusedCopy } from './record/fork-record.ts';
import { projectsFolder } from './record/record-file.ts';
import { type SessionRecords, createSessionRecords } from './record/session-records.ts';
import { guardSdkRejections } from './process/sdk-rejections.ts';
import { createSpareKeeper, parkSpare } from './process/spare.ts';
import { isUuid, uuidOfTurn } from './translate/turn-uuid.ts';
import { rejectEscapingLinks } from './process/escaping-links.ts';

export type ClaudeProviderDeps = Omit<ClaudeDeps, 'limits'> & {
  readonly limits?: Partial<ClaudeLimits>;
  /** Stores which Claude Code sessions are behind ours: `/clear` starts another. */
  readonly idsFile: string;
  /** Whether Claude Code was used in this data directory: only then is a spare process worth its memory. */
  readonly wasUsed?: () => boolean;
};

export type ClaudeProvider = CliProvider &
  Required<Pick<CliProvider, 'readHistory' | 'onRecordChanged'>> & {
    /** The pid of a session's process, for measurements. */
    pidOf(sessionId: string): number | undefined;
    spareIsReady(): boolean;
  };

type ClaudeSessionEntry = SessionEntry<ClaudeSession> & {
  readonly recordChanged: HeldEvents<[]>;
  hasCrashed: boolean;
  hold: CallHold;
};

const cliType = 'claude-code';
const name = 'Claude Code';

export const claudeIdsFile = (dataDir: string): string => join(dataDir, 'agents', `${cliType}.sessions.json`);

/** Claude Code through its Agent SDK: one long-lived process per session. */
export function createClaudeProvider(given: ClaudeProviderDeps): ClaudeProvider {
  const deps: ClaudeDeps = { ...given, limits: { ...defaultLimits, ...given.limits } };
  const projects = projectsFolder(deps.env);
  const ids = createSessionIds(given.idsFile, deps.log);
  const sessions = createSessionTable<ClaudeSession, ClaudeSessionEntry>({
    agentName: () => name,
    newEntry: () => ({
      hub: createSessionHub(deps.log),
      recordChanged: createHeldEvents(deps.log),
      isKilled: false,
      hasCrashed: false,
      hold: () => Promise.resolve(),
    }),
    hasCrashed: (entry) => entry.hasCrashed,
  });
  const recordsOf = (sessionId: string): SessionRecords =>
    createSessionRecords(projects, sessionId, () => ids.agentIdsOf(sessionId));
  const release = guardSdkRejections(deps.log);
  const spares = createSpareKeeper({
    park: (trusted, signal) => parkSpare(deps, trusted, signal),
    delayMs: deps.limits.spareDelayMs,
    idleMs: deps.limits.spareIdleMs,
    onFailure: (error) => deps.log.warn({ error: String(error) }, "couldn't start a spare Claude Code"),
  });
  let closed = false;
  if (given.wasUsed?.()) spares.want(false);

  function open(
    sessionId: string,
    projectDir: string,
    options: LoadOptions['providerOptions'],
    isRecorded: boolean,
  ): ClaudeSession {
    const entry = sessions.entryOf(sessionId);
    const session = createClaudeSession({
      deps,
      hub: entry.hub,
      sessionId,
      agentSessionId: ids.agentIdOf(sessionId),
      projectDir,
      options: options ?? {},
      recorded: isRecorded,
      // A call never fails because of what it waits for.
      hold: (call) =>
        entry
          .hold(call)
          .catch((error: unknown) =>
            deps.log.warn({ sessionId, error: String(error) }, "couldn't prepare for a tool call"),
          ),
      onCrash: () => (entry.hasCrashed = true),
      onAgentSession: (agentId) => ids.continueIn(sessionId, agentId),
      findRecord: () => recordsOf(sessionId).newest(),
      onRecordChanged: () => entry.recordChanged.emit(),
    });
    entry.session = session;
    entry.isKilled = false;
    entry.hasCrashed = false;
    return session;
  }

  const notEnded = (sessionId: string, error: unknown): void =>
    deps.log.warn({ sessionId, error: String(error) }, "Couldn't end Claude Code cleanly");
  const sessionOf = (sessionId: string): ProviderSession => ({ sessionId, cliType });

  async function load(sessionId: string, options: LoadOptions): Promise<ProviderSession> {
    const known = sessions.find(sessionId);
    if (known?.session) {
      known.isKilled = false;
      known.hasCrashed = false;
      await known.session.choices.update(options.providerOptions ?? {});
      return sessionOf(sessionId);
    }
    const session = recordsOf(sessionId);
    if (!(await session.exist()) && !(options.unused && isUuid(sessionId))) throw notFound(sessionId);
    if (options.projectDir === undefined) {
      throw new ProviderError('PROJECT_DIR_INVALID', 'Set the folder in which to open the session.');
    }
    open(
      sessionId,
      await projectFolder(options.projectDir),
      options.providerOptions,
      (await session.newest()) !== undefined,
    );
    return sessionOf(sessionId);
  }

  return {
    ...sessions.calls,
    cliType,
    name,
    capabilities: {
      load: true,
      discover: true,
      images: true,
      steer: true,
      feedback: true,
      fork: true,
      forkAtTurn: true,
      models: true,
      modes: true,
      efforts: true,
      permissions: true,
      prepare: true,
      untrustedFolders: true,
    },
    availability: () => availabilityOf(deps.env),
    async signInProgram() {
      const command = ownExecutable(deps.env) ?? bundledClaude();
      return command === undefined ? undefined : { command, args: ['auth', 'login'] };
    },
    signedIn: () => spares.renew(),

    async createSession({ projectDir, providerOptions = {} }) {
      const dir = await projectFolder(projectDir);
      if (closed) throw new ProviderError('SESSION_CREATE_FAILED', 'The server is shutting down.');
      const trusted = providerOptions.trusted === true;
      if (!trusted) await rejectEscapingLinks(dir, deps.env['HOME']);
      // The mode without permission requests needs a process started for it, which no spare is.
      const spare = providerOptions.modeId === 'bypassPermissions' ? undefined : spares.take(trusted);
      const sessionId = spare?.sessionId ?? deps.newId();
      const session = open(sessionId, dir, providerOptions, false);
      try {
        await session.start(spare);
      } catch (error) {
        await session.close();
        sessions.remove(sessionId);
        throw asProviderError(error, 'SESSION_CREATE_FAILED', "Couldn't start Claude Code");
      }
      spares.want(trusted);
      return sessionOf(sessionId);
    },
    loadSession: (sessionId, options = {}) => load(sessionId, options),
    async sendMessage(sessionId, message, options = {}) {
      return sessions
        .open(sessionId)
        .send(message, options)
        .catch((error: unknown) => {
          throw asProviderError(error, 'PROCESS_CRASH', "Claude Code couldn't accept the message");
        });
    },
    async killSession(sessionId) {
      const entry = sessions.find(sessionId);
      if (!entry?.session) return;
      entry.isKilled = true;
      await entry.session.kill().catch((error: unknown) => notEnded(sessionId, error));
    },
    pidOf: (sessionId) => sessions.find(sessionId)?.session?.pid,
    spareIsReady: () => spares.isReady(),

    beforeToolCall(sessionId, hold) {
      sessions.entryOf(sessionId).hold = hold;
    },
    onRecordChanged: (sessionId, listener) => sessions.entryOf(sessionId).recordChanged.listen(listener),
    setModel: async (sessionId, modelId) => sessions.open(sessionId).choices.setModel(modelId),
    setMode: async (sessionId, modeId) => sessions.open(sessionId).choices.setMode(modeId),
    setEffort: async (sessionId, effort) => sessions.open(sessionId).choices.setEffort(effort),

    async listSessions(projectDir) {
      const listed = await listRecordedSessions(projectDir).catch((error: unknown) => {
        throw asProviderError(error, 'PROTOCOL_ERROR', "Couldn't read the sessions that Claude Code keeps");
      });
      // A record that continues one of our sessions isn't a session of its own.
      const own = listed.filter(({ sessionId }) => ids.ownIdOf(sessionId) === sessionId);
      const unused = await Promise.all(own.map(({ sessionId, title }) => isUnusedCopy(projects, sessionId, title)));
      const used = own.filter((_, place) => unused[place] === false);
      return used.map(({ sessionId, title, updatedAt, size }) => ({
        sessionId,
        cliType,
        title,
        updatedAt: isoTime(updatedAt),
        size,
      }));
    },
    readHistory: (sessionId, options = {}) =>
      recordsOf(sessionId).read(options.newestTurns ?? Number.POSITIVE_INFINITY),
    wasReceived: (sessionId, turnId) => recordsOf(sessionId).mention(uuidOfTurn(turnId)),
    async forkSession(sessionId, { turnId } = {}) {
      if (!(await recordsOf(sessionId).exist())) throw notFound(sessionId);
      const uuid = turnId === undefined ? undefined : uuidOfTurn(turnId);
      const forked = await forkRecord(projects, ids.agentIdsOf(sessionId), uuid).catch((error: unknown) => {
        throw asProviderError(error, 'SESSION_CREATE_FAILED', "Couldn't fork the session");
      });
      return { ...sessionOf(forked.agentId), earlier: forked.earlier };
    },
    agentIdsOf: (sessionId) => ids.agentIdsOf(sessionId),
    async rebind(sessionId, agentIds) {
      const entry = sessions.find(sessionId);
      const open = entry?.session;
      if (entry) entry.session = undefined;
      await open?.close();
      ids.replace(sessionId, agentIds);
    },
    async forgetSession(sessionId) {
      const { session } = sessions.find(sessionId) ?? {};
      sessions.remove(sessionId);
      await session?.close().catch((error: unknown) => notEnded(sessionId, error));
    },
    async close() {
      closed = true;
      await spares.close();
      await Promise.all(sessions.entries().map(async ({ session }) => session?.close()));
      release();
    },
  };
}

const notFound = (sessionId: string): ProviderError =>
  new ProviderError(
    'SESSION_NOT_FOUND',
    `Claude Code has no session "${sessionId}". It may have been removed; start a new one.`,
  );

async function availabilityOf(env: ClaudeDeps['env']): Promise<Availability> {
  const own = ownExecutable(env);
  if (own === undefined) {
    return bundledClaude() !== undefined
      ? { available: true, ...present({ version: bundledVersion() }) }
      : {
          available: false,
          reason: `Claude Code isn't installed. ${addAgentHint('claude')}`,
        };
  }
  const runs = await access(own, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (runs && !hasSdk()) {
    const reason = `Claude Code is installed, but the Agent SDK that connects to it is missing. ${addAgentHint('claude')}`;
    return { available: false, reason };
  }
  return runs
    ? { available: true }
    : { available: false, reason: `LIMINAL_CLAUDE_PATH is ${own}, which can't be run. Correct or unset it.` };
}
