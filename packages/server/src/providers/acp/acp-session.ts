import type { PermissionAnswer, SendOptions } from '@liminal/contracts';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { isoTime } from '@liminal/domain/time/iso-time';
import { ProviderError } from '../provider-error.ts';
import type { ConnectionEnd } from './acp-connection.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { AgentSpec } from './agent-spec.ts';
import { type ChoiceKind, type Choices, readChoices } from './choices.ts';
import { exitWords } from './exit-words.ts';
import { AgentRefused, promptFailure, type TurnFailure, wordsOf } from './failures.ts';
import { formQuestion } from './form-question.ts';
import { asRecord, type Loose } from './loose.ts';
import type { OpenAgent } from './open-agent.ts';
import { createPendingQuestions } from './pending-questions.ts';
import { permissionQuestion, type Question } from './permission-question.ts';
import type { SessionHub } from './session-hub.ts';
import { createTranslator, type PromptEnd, type Translation } from './translate.ts';

/** One session in one living process. */
export type AcpSession = {
  readonly sessionId: string;
  readonly pid: number;
  readonly isAlive: boolean;
  update(raw: unknown): void;
  /** Takes in what a message said beside items. */
  learn(news: Translation): void;
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** The process is gone. */
  closed(end: ConnectionEnd): void;
  send(message: string, options: SendOptions): Promise<{ turnId: string }>;
  cancel(): Promise<void>;
  answer(answer: PermissionAnswer): void;
  choose(kind: ChoiceKind, value: string): Promise<void>;
  hasBackgroundWork(): boolean;
  /** Ends the process; nobody is told that it closed. */
  kill(): Promise<void>;
};

export type AcpSessionOptions = {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  readonly hub: SessionHub;
  readonly opened: OpenAgent;
  readonly sessionId: string;
  /** What `session/new` or `session/load` answered. */
  readonly answer: Loose;
};

const methodNotFound = -32601;

export function createAcpSession({ spec, deps, hub, opened, sessionId, answer }: AcpSessionOptions): AcpSession {
  const { agent, connection, initialized } = opened;
  const translator = createTranslator({
    sessionId,
    providerId: spec.id,
    maxLatencyMs: deps.limits.latencyMs,
    notesLackIds: spec.notesLackIds,
  });
  const promptCapabilities = asRecord(asRecord(initialized['agentCapabilities'])['promptCapabilities']);
  const questions = createPendingQuestions((signal) => hub.permissions.emit(signal));
  const unknown = new Map<string, number>();
  let choices: Choices;
  let offered = answer;
  let isKilled = false;
  let isWriting = false;
  let unresponsive: TurnFailure | undefined;
  let cancelTimer: NodeJS.Timeout | undefined;
  let tickTimer: NodeJS.Timeout | undefined;
  /** The prompt before, so that one turn runs at a time. */
  let before: Promise<void> = Promise.resolve();

  learnChoices(answer);

  function learnChoices(news: Loose): void {
    offered = { ...offered, ...news };
    choices = readChoices(offered);
    hub.learn(choices.info);
  }

  function tell(emissions: readonly Emission[]): void {
    for (const emission of emissions) {
      if (emission.kind === 'turn') {
        hub.turns.emit(emission.event);
        continue;
      }
      const sourceId = translator.sourceIdOf(emission.upsert);
      hub.upserts.emit(emission.upsert, { ...emission.appended, ...(sourceId !== undefined && { sourceId }) });
    }
    schedule();
  }

  /** One timer per session, for the moment the next waiting text is due. */
  function schedule(): void {
    clearTimeout(tickTimer);
    const due = translator.nextDue();
    if (due === null) return;
    tickTimer = setTimeout(() => tell(translator.tick(deps.now())), Math.max(0, due - deps.now()));
    tickTimer.unref();
  }

  function learn({ info, configOptions, unknown: name }: Translation): void {
    if (info) hub.learn(info);
    if (configOptions !== undefined) learnChoices({ configOptions });
    if (name === undefined) return;
    // Kept to a word and a number: an agent may send thousands of them.
    const seen = (unknown.get(name) ?? 0) + 1;
    unknown.set(name, seen);
    if (seen === 1) deps.log.warn({ agent: spec.id, name }, 'an agent said something this version does not know');
  }

  function take(translation: Translation): void {
    tell(translation.emissions);
    learn(translation);
  }

  async function ask(question: Question | null, signal: AbortSignal, otherwise: unknown): Promise<unknown> {
    if (!question) return otherwise;
    const { call } = question;
    if (call) tell(translator.ask(call, deps.now()));
    const { accepted, reply } = await questions.ask(question, signal);
    if (call) tell(translator.answered(call.callId, accepted, deps.now()));
    return reply;
  }

  function endPrompt(end: PromptEnd): void {
    clearTimeout(cancelTimer);
    questions.endAll('The turn ended.');
    take(translator.endTurn(end, deps.now()));
  }

  const dead = (cause?: unknown): ProviderError =>
    new ProviderError('PROCESS_CRASH', `${spec.name} is no longer running. Open the session again to go on.`, cause);

  async function send(
    message: string,
    { turnId = deps.newId(), images = [] }: SendOptions,
  ): Promise<{ turnId: string }> {
    const previous = before;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    before = promise;
    await previous;
    try {
      if (!connection.isOpen) throw dead();
      if (images.length > 0 && promptCapabilities['image'] !== true) {
        throw new ProviderError('NOT_SUPPORTED', `${spec.name} takes no images.`);
      }
      const prompt = [
        { type: 'text', text: message },
        ...images.map(({ data, mimeType }) => ({ type: 'image', data, mimeType })),
      ];
      isWriting = true;
      const { written, answer: answered } = connection.request('session/prompt', { sessionId, prompt });
      await written
        .catch((cause: unknown) => {
          throw dead(cause);
        })
        .finally(() => {
          isWriting = false;
        });
      // The agent's first word about it comes with a later event, so the turn starts before anything in it.
      tell(translator.startTurn({ turnId, modelId: hub.info.modelId }, deps.now()));
      answered
        .then(
          (response) => endPrompt({ response }),
          (error: unknown) => {
            if (error instanceof AgentRefused)
              endPrompt({ failure: promptFailure(error, spec.name, initialized['authMethods']) });
            // Without an answer the end of the process ends the turn, with better words.
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
    pid: agent.pid,
    get isAlive() {
      return connection.isOpen && !isKilled;
    },
    learn,
    update: (raw) => take(translator.update(raw, deps.now())),
    async request(method, params, signal) {
      const turnId = translator.runningTurnId ?? 'session';
      const place = { requestId: deps.newId(), turnId, openedAt: isoTime(deps.now()) };
      switch (method) {
        case 'session/request_permission':
          return ask(permissionQuestion(params, place, translator.describeCall), signal, {
            outcome: { outcome: 'cancelled' },
          });
        case 'elicitation/create':
          return ask(formQuestion(params, place), signal, { action: 'cancel' });
        default:
          throw new AgentRefused(methodNotFound, `Method not found: ${method}`);
      }
    },
    closed(end) {
      clearTimeout(cancelTimer);
      const failure = unresponsive ?? {
        code: 'PROCESS_CRASH' as const,
        message: exitWords(spec.name, agent, connection, end),
      };
      questions.endAll(`${spec.name} stopped.`);
      if (isKilled) take(translator.endTurn({ response: { stopReason: 'cancelled' } }, deps.now()));
      tell(translator.close(failure, deps.now()));
      clearTimeout(tickTimer);
      if (!isKilled) hub.closed.emit(new ProviderError(failure.code, failure.message));
    },
    send,
    async cancel() {
      if (translator.runningTurnId === null && !isWriting) return;
      translator.noteCancel();
      questions.endAll('The turn was cancelled.');
      clearTimeout(cancelTimer);
      cancelTimer = setTimeout(() => {
        const seconds = deps.limits.cancelMs / 1000;
        const message = `${spec.name} did not stop within ${seconds} s of being asked to, so its process was ended. The session can be opened again.`;
        unresponsive = { code: 'AGENT_UNRESPONSIVE', message };
        void agent.kill();
      }, deps.limits.cancelMs);
      cancelTimer.unref();
      await connection.notify('session/cancel', { sessionId }).catch((cause: unknown) => {
        throw new ProviderError(
          'INTERRUPT_FAILED',
          `${spec.name} could not be asked to stop: ${wordsOf(cause)}`,
          cause,
        );
      });
    },
    answer: (given) => questions.answer(given),
    async choose(kind, value) {
      if (!connection.isOpen) throw dead();
      const request = choices.request(kind, sessionId, value);
      if (!request) throw new ProviderError('NOT_SUPPORTED', `${spec.name} has no choice of ${kind}.`);
      try {
        const reply = asRecord(await connection.request(request.method, request.params).answer);
        if (Array.isArray(reply['configOptions'])) learnChoices({ configOptions: reply['configOptions'] });
        else hub.learn(kind === 'model' ? { modelId: value } : kind === 'mode' ? { modeId: value } : { effort: value });
      } catch (cause) {
        if (!(cause instanceof AgentRefused)) throw dead(cause);
        throw new ProviderError(
          'INVALID_REQUEST',
          `${spec.name} does not take "${value}" as its ${kind}: ${cause.message}`,
          cause,
        );
      }
    },
    hasBackgroundWork: () => translator.runningTurnId === null && translator.hasOpenCalls(),
    async kill() {
      isKilled = true;
      await agent.kill();
    },
  };
}
