import type { PermissionAnswer, SendOptions } from '@liminal/contracts';
import { createEmissionTimer } from '../../kit/emission-timer.ts';
import { createOpenQuestions } from '../../kit/open-questions.ts';
import { projectFolder } from '../../kit/project-folder.ts';
import { present } from '../../kit/read-json.ts';
import type { SessionHub } from '../../kit/session-hub.ts';
import { notRunning } from '../../kit/session-table.ts';
import type { CallHold, ProviderOptions } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import { createAskUser } from '../permissions/ask-user.ts';
import type { ClaudeDeps } from '../process/claude-deps.ts';
import { type ClaudeProcess, type ProcessListener, startClaudeProcess } from '../process/claude-process.ts';
import { createMessageQueue } from '../process/message-queue.ts';
import { createRecordWatch } from '../record/record-watch.ts';
import { type OutgoingMessage, outgoingMessage } from '../translate/turn-uuid.ts';
import { createCancelling } from './cancelling.ts';
import { type ClaudeOptions, choicesInfo, createClaudeOptions } from './claude-options.ts';
import type { SpareProcess } from '../process/spare.ts';
import { editedFiles } from '../translate/tool-shape.ts';
import { type ClaudeFact, createClaudeTranslator } from '../translate/translate.ts';
import type { Translated } from '../translate/translation.ts';
import { rejectEscapingLinks } from '../process/escaping-links.ts';

/** One session: its process while it has one, its translator, and its open requests. */
export type ClaudeSession = {
  readonly isAlive: boolean;
  readonly pid: number | undefined;
  readonly choices: ClaudeOptions;
  /** Starts the process before the first message. */
  start(spare?: SpareProcess): Promise<void>;
  send(message: string, options: SendOptions): Promise<{ turnId: string }>;
  /** Sends into the running turn. */
  steer(message: string, options: SendOptions): void;
  cancel(): Promise<void>;
  answer(answer: PermissionAnswer): void;
  hasBackgroundWork(): boolean;
  /** Ends the process; the next message starts another. */
  kill(): Promise<void>;
  /** Ends everything. */
  close(): Promise<void>;
};

export type ClaudeSessionOptions = {
  readonly deps: ClaudeDeps;
  readonly hub: SessionHub;
  readonly sessionId: string;
  /** The Claude Code session behind ours; differs from our id after a `/clear`. */
  readonly agentSessionId: string;
  readonly onAgentSession: (agentSessionId: string) => void;
  readonly projectDir: string;
  readonly options: ProviderOptions;
  /** It has a record to continue from. */
  readonly recorded: boolean;
  /** What each tool call waits for. */
  readonly hold: CallHold;
  /** The process ended by itself. */
  readonly onCrash: () => void;
  /** The path of its record, once there is one. */
  readonly findRecord: () => Promise<string | undefined>;
  /** The session was used elsewhere: its record has more than we know. */
  readonly onRecordChanged: () => void;
};

export function createClaudeSession(given: ClaudeSessionOptions): ClaudeSession {
  const { deps, hub, sessionId, projectDir } = given;
  const translator = createClaudeTranslator({
    sessionId,
    agentSessionId: given.agentSessionId,
    newTurnId: deps.newId,
    firstNote: deps.now(),
    maxLatencyMs: deps.limits.latencyMs,
    firstLatencyMs: 0,
  });
  const questions = createOpenQuestions('Claude Code', (signal) => hub.permissions.emit(signal));
  const cancelling = createCancelling(deps, sessionId);
  const outgoing = createMessageQueue<OutgoingMessage>();
  let { agentSessionId, recorded } = given;
  let process: ClaudeProcess | undefined;
  let waking: Promise<ClaudeProcess> | undefined;
  let handedOver: string | undefined;
  let usedElsewhere = false;
  /** How many times the session was ended: a start from before the last end must not bring it back. */
  let kills = 0;

  const isBusy = (): boolean =>
    handedOver !== undefined || translator.currentTurnId() !== undefined || translator.awaitsSteered();
  const choices = createClaudeOptions(given.options, { hub, process: () => process, isBusy });
  // Our process doesn't know what happened elsewhere: a new one reads it from the record.
  const record = createRecordWatch({
    findRecord: given.findRecord,
    isKnown: given.recorded,
    onForeign() {
      usedElsewhere = true;
      if (isBusy()) given.onRecordChanged();
      takeOver();
    },
  });
  if (given.recorded) record.start();

  const timer = createEmissionTimer({
    nextDue: () => translator.nextDue(),
    tick: (at) => publish(translator.tick(at)),
    now: deps.now,
    latencyMs: deps.limits.latencyMs,
  });

  function publish({ emissions, signals }: Translated): void {
    for (const emission of emissions) {
      if (emission.kind === 'upsert') {
        const { upsert, appended, grown, sourceId } = emission;
        hub.upserts.emit(upsert, { ...appended, ...present({ grown, sourceId }) });
        continue;
      }
      const { type, turnId } = emission.event;
      // Claude Code records a turn before it completes it. A cancelled one may not be recorded.
      if (type === 'turn_complete' && emission.event.status === 'completed') recorded = true;
      if (type !== 'turn_started') turnEnded(turnId);
      // The interrupt may have overtaken its message, or ended another turn.
      else if (cancelling.turnStarted(turnId)) queueMicrotask(() => void cancel().catch(() => {}));
      record.start();
      hub.turns.emit(emission.event);
    }
    for (const signal of signals) {
      if (signal.kind === 'info') hub.learn(choices.named(signal.info));
      else if (signal.kind === 'agent-session') continueIn(signal.sessionId);
      else deps.log.warn({ sessionId, name: signal.name }, 'Claude Code sent an unknown message');
    }
    timer.schedule();
    takeOver();
    // In its own step, so the terminal event is emitted before the next message is sent.
    if (outgoing.hasWaiting && !isBusy()) queueMicrotask(handOver);
  }

  /** Picks up what happened elsewhere during our turn, as soon as no turn needs the process. */
  function takeOver(): void {
    if (!usedElsewhere || isBusy() || outgoing.hasWaiting) return;
    usedElsewhere = false;
    process?.kill().catch(() => {});
    given.onRecordChanged();
  }

  /** Claude Code started another record. Stored before the next message is sent, so a restart resumes that one. */
  function continueIn(agentId: string): void {
    agentSessionId = agentId;
    // Nothing confirms yet that it is on disk.
    recorded = false;
    record.restart();
    given.onAgentSession(agentId);
  }

  const note = (fact: ClaudeFact): void => publish(translator.translate(fact, deps.now()));

  function turnEnded(turnId: string): void {
    cancelling.turnEnded();
    questions.endTurn('The turn ended.');
    if (handedOver === turnId) handedOver = undefined;
  }

  /** One message at a time: Claude Code would merge waiting ones into one turn (decision 2). */
  function handOver(): void {
    if (isBusy() || !process) return;
    const next = outgoing.release();
    if (!next) return;
    handedOver = next.turnId;
    note({ kind: 'sent', uuid: next.uuid, turnId: next.turnId });
  }

  const listener: ProcessListener = {
    said(message) {
      const awaited = translator.awaitsSteered();
      note({ kind: 'said', message });
      if (awaited && !translator.awaitsSteered()) cancelling.repeat();
    },
    heldLength: () => translator.heldLength(),
    async toolCall({ callId, toolName, input }) {
      const turnId = translator.turnOfCall(callId) ?? translator.currentTurnId() ?? handedOver;
      if (turnId !== undefined) await given.hold({ turnId, edits: editedFiles(toolName, input) });
    },
    ...createAskUser({ translator, questions, note, now: deps.now, isTrusted: () => choices.current.trusted === true }),
    // No second process starts before the first one's end has been handled.
    ended({ wanted, reason }) {
      process = undefined;
      questions.endAll(wanted ? 'The session was ended.' : 'Claude Code stopped.');
      // Waiting messages were promised a turn too.
      for (const { uuid, turnId } of outgoing.clear()) note({ kind: 'sent', uuid, turnId });
      note({ kind: 'stream-ended', wanted, ...(reason && { reason }) });
      handedOver = undefined;
      if (wanted) return;
      given.onCrash();
      const why = `Claude Code stopped${reason ? ` (${reason})` : ''}. The next message resumes the session.`;
      hub.closed.emit(new ProviderError('PROCESS_CRASH', why));
    },
  };

  function startProcess(resume: boolean, spare?: SpareProcess): ClaudeProcess {
    const { trusted = false, modelId, modeId = 'default', effort, maxThinkingTokens } = choices.current;
    const started = startClaudeProcess(deps, listener, {
      messages: outgoing,
      trusted,
      mayBypass: modeId === 'bypassPermissions',
      spare,
      session: {
        cwd: projectDir,
        sessionId: agentSessionId,
        resume,
        model: modelId,
        mode: modeId,
        effort,
        maxThinkingTokens,
      },
    });
    process = started;
    note({ kind: 'process-started' });
    const learn = async (): Promise<void> => {
      await started.ready;
      hub.learn(choicesInfo(await started.choices(), choices.current.modelId));
    };
    // Without choices the page offers none, and the end of the process is reported elsewhere.
    learn().catch(() => {});
    return started;
  }

  /** The process for the next message, started if there is none. */
  async function wake(): Promise<ClaudeProcess> {
    const before = kills;
    if (!isBusy() && (await record.look())) usedElsewhere = true;
    takeOver();
    // If trust changed while a turn ran, or the process is just exiting, the next one takes over.
    const outdated = !isBusy() && process !== undefined && process.trusted !== (choices.current.trusted ?? false);
    if (outdated || process?.isEnding) await process?.kill();
    // The SDK reports a missing folder as a missing program.
    if (!process) await projectFolder(projectDir);
    // Only what was seen on disk counts: Claude Code may have been ended before it recorded a message that it got.
    if (!process && !recorded) recorded = (await given.findRecord()) !== undefined;
    if (!process && choices.current.trusted !== true) await rejectEscapingLinks(projectDir, deps.env['HOME']);
    if (kills !== before) throw endedMeanwhile();
    const running = process ?? startProcess(recorded);
    await running.started;
    if (kills !== before) throw endedMeanwhile();
    if (!running.isAlive) throw notRunning('Claude Code');
    return running;
  }

  async function cancel(): Promise<void> {
    const running = process;
    if (!running?.isAlive || !isBusy()) return;
    cancelling.want(running, translator.currentTurnId());
    note({ kind: 'interrupted' });
    questions.endAll('The turn was cancelled.');
    await cancelling.interrupt(running);
  }

  return {
    get isAlive() {
      return process?.isAlive ?? false;
    },
    get pid() {
      return process?.pid;
    },
    choices,
    async start(spare) {
      const starting = startProcess(given.recorded, spare);
      // A claimed spare is already running; a newly started program may turn out not to be Claude Code at all.
      await (spare ? starting.started : starting.ready);
    },
    async send(text, { turnId = deps.newId(), images }) {
      await (waking ??= wake().finally(() => (waking = undefined)));
      outgoing.add(outgoingMessage(text, images, turnId));
      cancelling.sent(turnId);
      handOver();
      return { turnId };
    },
    steer(text, { turnId = deps.newId(), images }) {
      if (!process?.isAlive || !isBusy())
        throw new ProviderError('TURN_NOT_FOUND', 'No turn is running, so there is nothing to steer.');
      const message = outgoingMessage(text, images, turnId);
      note({ kind: 'sent', uuid: message.uuid, turnId, steered: true });
      outgoing.push(message);
    },
    cancel,
    answer: (answer) => questions.answer(answer),
    hasBackgroundWork: () => translator.hasBackgroundWork() || translator.awaitsSteered(),
    async kill() {
      kills += 1;
      await process?.kill();
    },
    async close() {
      kills += 1;
      record.close();
      await process?.kill();
      timer.stop();
    },
  };
}

const endedMeanwhile = () => new ProviderError('SESSION_DEAD', 'This session was ended before the message was sent.');
