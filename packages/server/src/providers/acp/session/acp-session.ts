import type { PermissionAnswer, SendOptions } from '@liminal/contracts';
import { isoTime } from '@liminal/domain/time/iso-time';
import { approximateLength } from '@liminal/domain/items/approximate-bytes';
import { createAgentWatch } from '../../kit/agent-watch.ts';
import { createEmissionPublisher } from '../../kit/emission-publisher.ts';
import { createOpenQuestions } from '../../kit/open-questions.ts';
import type { Loose } from '../../kit/read-json.ts';
import { errorText, ProviderError } from '../../provider-error.ts';
import type { ConnectionEnd } from '../connection/connection-end.ts';
import type { AgentDeps } from '../connection/agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import type { ChoiceKind } from './choices.ts';
import { createClientServices } from '../client-services/client-services.ts';
import { describeExit } from '../connection/describe-exit.ts';
import { AgentRefused, promptFailure } from '../connection/failures.ts';
import { formQuestion } from '../permissions/form-question.ts';
import type { OpenAgent } from '../connection/open-agent.ts';
import { permissionQuestion, type Question } from '../permissions/permission-question.ts';
import { promptBlocks, steerTurn } from './steer-turn.ts';
import { quirksOf } from '../translate/quirks.ts';
import { type Chosen, createAcpOptions } from './acp-options.ts';
import type { SessionHub } from '../../kit/session-hub.ts';
import { notRunning } from '../../kit/session-table.ts';
import { createTranslator, type PromptEnd, type Translation } from '../translate/translate.ts';
import { createUnknownMessages } from '../../kit/unknown-messages.ts';

/** One session in one running process. */
export type AcpSession = {
  readonly sessionId: string;
  /** The agent's own id for it. */
  readonly agentId: string;
  readonly pid: number;
  readonly isAlive: boolean;
  update(raw: unknown): void;
  /** Adds a note of ours, outside any turn. */
  note(text: string): void;
  /** Processes the parts of a message that aren't items. */
  learn(news: Translation): void;
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** The process is gone. */
  closed(end: ConnectionEnd): void;
  send(message: string, options: SendOptions): Promise<{ turnId: string }>;
  /** Sends a message into the running turn. */
  steer(message: string, options: SendOptions): Promise<void>;
  cancel(): Promise<void>;
  answer(answer: PermissionAnswer): void;
  choose(kind: ChoiceKind, value: string): Promise<void>;
  chosen(): Chosen;
  hasBackgroundWork(): boolean;
  /** Sends a request outside the turns; rejects with `AgentRefused` when the agent refuses. */
  ask(method: string, params: unknown): Promise<Loose>;
  /** Ends the process without reporting that it closed. */
  kill(): Promise<void>;
};

export type AcpSessionOptions = {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  readonly hub: SessionHub;
  readonly opened: OpenAgent;
  readonly sessionId: string;
  readonly agentId: string;
  /** The project folder, a real path. */
  readonly cwd: string;
  /** The answer to `session/new` or `session/load`. */
  readonly answer: Loose;
};

export function createAcpSession(options: AcpSessionOptions): AcpSession {
  const { spec, deps, hub, opened, sessionId, agentId, cwd, answer } = options;
  const { agent, connection, initialized } = opened;
  const { limits, log } = deps;
  const quirks = quirksOf(initialized);
  const translator = createTranslator({
    sessionId,
    providerId: spec.id,
    maxLatencyMs: limits.latencyMs,
    firstLatencyMs: 0,
    notesLackIds: quirks.notesLackIds,
    firstPlace: deps.now(),
  });
  const questions = createOpenQuestions(spec.name, (signal) => hub.permissions.emit(signal));
  const unknownMessages = createUnknownMessages(spec.id, log);
  const services = createClientServices({ spec, deps, cwd, update: (raw) => take(translator.update(raw, deps.now())) });
  const slow = `${spec.name} didn't respond within ${limits.openMs / 1000} s.`;
  const ask = async (method: string, params: unknown): Promise<Loose> => {
    if (!connection.isOpen) throw notRunning(spec.name);
    return opened.ask(method, params, limits.openMs, slow);
  };
  const agentOptions = createAcpOptions({ sessionId: agentId, agentName: spec.name, answer, hub, ask });
  const watch = createAgentWatch({
    agentName: spec.name,
    limits,
    agent,
    heldLength: () => translator.heldLength(),
    ignore: () => connection.ignore(),
  });
  const { publish, stop: stopEmitting } = createEmissionPublisher({
    hub,
    translator,
    now: deps.now,
    latencyMs: limits.latencyMs,
  });
  let isKilled = false;
  let isWriting = false;
  let wantsCancel = false;
  /** Settles when the previous turn is over, so one runs at a time. */
  let before: Promise<void> = Promise.resolve();

  function learn({ info, configOptions, unknown }: Translation): void {
    if (info) hub.learn(info);
    if (configOptions !== undefined) agentOptions.learn({ configOptions });
    if (unknown !== undefined) unknownMessages.count(unknown);
  }

  function take(translation: Translation): void {
    publish(translation.emissions);
    learn(translation);
    watch.check();
  }

  async function askUser(question: Question | null, signal: AbortSignal, otherwise: unknown): Promise<unknown> {
    if (!question) return otherwise;
    const { call } = question;
    const release = watch.holdQuestion(approximateLength(question.request));
    if (call) publish(translator.ask(call, deps.now()));
    const { accepted, reply } = await questions.ask(question, signal);
    release();
    if (call) publish(translator.answered(call.callId, accepted, deps.now()));
    return reply;
  }

  function endPrompt(end: PromptEnd): void {
    watch.turnEnded();
    questions.endTurn('The turn ended.');
    take(translator.endTurn(end, deps.now()));
  }

  async function send(
    message: string,
    { turnId = deps.newId(), images = [] }: SendOptions,
  ): Promise<{ turnId: string }> {
    const previous = before;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    before = promise;
    await previous;
    try {
      if (!connection.isOpen) throw notRunning(spec.name);
      const prompt = promptBlocks(spec, initialized, message, images);
      isWriting = true;
      wantsCancel = false;
      const { written, answer: answered } = connection.request('session/prompt', { sessionId: agentId, prompt });
      await watch.written(written).finally(() => {
        isWriting = false;
      });
      // The agent's first output arrives with a later event, so the turn starts before anything in it.
      watch.turnStarted();
      publish(translator.startTurn({ turnId, modelId: hub.info.modelId }, deps.now()));
      if (wantsCancel) translator.noteCancel();
      answered
        .then(
          (response) => endPrompt({ response }),
          (error: unknown) => {
            if (error instanceof AgentRefused)
              endPrompt({ failure: promptFailure(error, spec, initialized['authMethods']) });
            // Without an answer, the end of the process ends the turn, with a better message.
          },
        )
        .finally(done);
      return { turnId };
    } catch (error) {
      done();
      throw error;
    }
  }

  return {
    sessionId,
    agentId,
    pid: agent.pid,
    get isAlive() {
      return connection.isOpen && !isKilled;
    },
    learn,
    note: (text) => take(translator.update({ sessionUpdate: 'notice', title: text }, deps.now())),
    update(raw) {
      if (watch.failure) return;
      for (const part of services.withTerminals(raw)) take(translator.update(part, deps.now()));
    },
    async request(method, params, signal) {
      const turnId = translator.runningTurnId ?? 'session';
      const place = { requestId: deps.newId(), turnId, openedAt: isoTime(deps.now()) };
      switch (method) {
        case 'session/request_permission':
          return askUser(permissionQuestion(params, place, translator.describeCall, quirks), signal, {
            outcome: { outcome: 'cancelled' },
          });
        case 'elicitation/create':
          return askUser(formQuestion(params, place), signal, { action: 'cancel' });
        default:
          return services.serve(method, params);
      }
    },
    closed(end) {
      watch.turnEnded();
      void services.close();
      const failure = watch.failure ?? {
        code: 'PROCESS_CRASH' as const,
        message: describeExit(spec.name, agent, connection, end),
      };
      questions.endAll(`${spec.name} stopped.`);
      if (isKilled) take(translator.endTurn({ response: { stopReason: 'cancelled' } }, deps.now()));
      publish(translator.close(failure, deps.now()));
      stopEmitting();
      if (!isKilled) hub.closed.emit(new ProviderError(failure.code, failure.message));
    },
    send,
    async steer(message, { images = [] }) {
      if (translator.runningTurnId === null) throw new ProviderError('TURN_NOT_FOUND', 'No turn is running.');
      await steerTurn(spec, { sessionId: agentId, prompt: promptBlocks(spec, initialized, message, images) }, ask);
    },
    async cancel() {
      if (translator.runningTurnId === null && !isWriting) return;
      wantsCancel = true;
      translator.noteCancel();
      questions.endAll('The turn was cancelled.');
      watch.expectStop();
      await connection.notify('session/cancel', { sessionId: agentId }).catch((cause: unknown) => {
        throw new ProviderError(
          'INTERRUPT_FAILED',
          `${spec.name} couldn't be asked to stop: ${errorText(cause)}`,
          cause,
        );
      });
    },
    answer: (given) => questions.answer(given),
    ask,
    choose: agentOptions.choose,
    chosen: agentOptions.chosen,
    hasBackgroundWork: () => translator.runningTurnId === null && translator.hasOpenCalls(),
    async kill() {
      isKilled = true;
      await Promise.all([agent.kill(), services.close()]);
    },
  };
}
