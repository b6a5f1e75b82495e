import type { PermissionAnswer, SendOptions } from '@liminal/contracts';
import { approximateLength } from '@liminal/domain/items/approximate-bytes';
import { isoTime } from '@liminal/domain/time/iso-time';
import type { ConnectionEnd } from '../../acp/connection/connection-end.ts';
import { describeExit } from '../../acp/connection/describe-exit.ts';
import { AgentRefused } from '../../acp/connection/failures.ts';
import { loginSteps } from '../../acp/connection/login-steps.ts';
import { createUnknownMessages } from '../../kit/unknown-messages.ts';
import { createAgentWatch } from '../../kit/agent-watch.ts';
import { createEmissionPublisher } from '../../kit/emission-publisher.ts';
import { createOpenQuestions } from '../../kit/open-questions.ts';
import { asNonEmptyString, asRecord, asText, type Loose, present } from '../../kit/read-json.ts';
import type { SessionHub } from '../../kit/session-hub.ts';
import { notRunning } from '../../kit/session-table.ts';
import { ProviderError } from '../../provider-error.ts';
import { codexQuestion, type CodexQuestion } from '../permissions/approval-question.ts';
import { planQuestion } from '../permissions/user-input-question.ts';
import type { CodexDeps } from '../process/codex-program.ts';
import type { OpenCodex } from '../process/open-codex.ts';
import { createTranslator, type Translation } from '../translate/translate.ts';
import { changeMode } from './change-mode.ts';
import type { ChoiceKind, CodexChoices } from './codex-choices.ts';
import { readCommand } from './codex-commands.ts';
import { answerOf, type OwnCommand } from './own-answer.ts';
import { steerTurn, turnInput } from './steer-turn.ts';

/** One thread in one running process. */
export type CodexSession = {
  readonly sessionId: string;
  readonly threadId: string;
  readonly pid: number;
  readonly isAlive: boolean;
  notified(method: string, params: Loose): void;
  asked(method: string, params: Loose, signal: AbortSignal): Promise<unknown>;
  closed(end: ConnectionEnd): void;
  send(message: string, options: SendOptions): Promise<{ turnId: string }>;
  steer(message: string, options: SendOptions): Promise<void>;
  cancel(): Promise<void>;
  answer(answer: PermissionAnswer): void;
  choose(kind: ChoiceKind, value: string): Promise<void>;
  hasBackgroundWork(): boolean;
  /** Sends a request outside the turns; rejects with `AgentRefused` when Codex refuses. */
  ask(method: string, params: unknown): Promise<Loose>;
  kill(): Promise<void>;
};

export type CodexSessionOptions = {
  readonly deps: CodexDeps;
  readonly hub: SessionHub;
  readonly opened: OpenCodex;
  readonly sessionId: string;
  readonly threadId: string;
  /** A real path. */
  readonly cwd: string;
  readonly choices: CodexChoices;
  /** Resolves once Codex has listed the choices. */
  readonly offered: Promise<void>;
};

const implement = 'Implement the plan.';

export function createCodexSession(options: CodexSessionOptions): CodexSession {
  const { deps, hub, opened, sessionId, threadId, cwd, choices, offered } = options;
  const { agent, server } = opened;
  const { limits, log, spec } = deps;
  const translator = createTranslator({
    sessionId,
    providerId: spec.id,
    maxLatencyMs: limits.latencyMs,
    firstLatencyMs: 0,
    firstPlace: deps.now(),
    loginSteps: () => loginSteps(spec, []),
    holdsPlans: () => choices.isPlanning,
  });
  const questions = createOpenQuestions(spec.name, (signal) => hub.permissions.emit(signal));
  const unknownMessages = createUnknownMessages(spec.id, log);
  const watch = createAgentWatch({
    agentName: spec.name,
    limits,
    agent,
    heldLength: () => translator.heldLength(),
    ignore: () => server.ignore(),
  });
  const { publish, stop: stopEmitting } = createEmissionPublisher({
    hub,
    translator,
    now: deps.now,
    latencyMs: limits.latencyMs,
    onTurn: ({ type }) => (type === 'turn_started' ? turnStarted() : turnEnded()),
  });
  let isKilled = false;
  let isWriting = false;
  let wantsCancel = false;
  /** Settles when the previous message is sent, so messages go out one by one. */
  let before: Promise<void> = Promise.resolve();
  /** The last change of the mode: they are made one by one, and a message is sent with the rights of the last. */
  let changing: Promise<unknown> = Promise.resolve();
  let requests = 0;
  /** Resolves when the running turn is over. */
  let running: PromiseWithResolvers<void> | undefined;

  const ask = async (method: string, params: unknown): Promise<Loose> => {
    if (!server.isOpen) throw notRunning(spec.name);
    return opened.ask(method, params);
  };

  function turnStarted(): void {
    running ??= Promise.withResolvers<void>();
    watch.turnStarted();
  }

  function turnEnded(): void {
    watch.turnEnded();
    wantsCancel = false;
    questions.endTurn('The turn ended.');
    running?.resolve();
    running = undefined;
  }

  function take({ emissions, info, unknown, planned }: Translation): void {
    publish(emissions);
    if (info) hub.learn(info);
    if (unknown !== undefined) unknownMessages.count(unknown);
    if (planned) void reviewPlan(planned);
    watch.check();
  }

  const turnOrSession = (): string => translator.runningTurnId ?? 'session';
  const place = () => ({ requestId: deps.newId(), turnId: turnOrSession(), openedAt: isoTime(deps.now()) });

  async function askUser(question: CodexQuestion, signal: AbortSignal): Promise<{ accepted: boolean; reply: unknown }> {
    const { callId } = question;
    const release = watch.holdQuestion(approximateLength(question.request));
    if (callId !== undefined) publish(translator.ask(callId, deps.now()));
    const answered = await questions.ask(question, signal);
    release();
    if (callId !== undefined) publish(translator.answered(callId, answered.accepted, deps.now()));
    return answered;
  }

  /** Codex finished a plan: the user decides whether to carry it out, which leaves plan mode. */
  async function reviewPlan(plan: NonNullable<Translation['planned']>): Promise<void> {
    const { accepted } = await askUser(planQuestion(plan.text, place()), new AbortController().signal);
    if (accepted) choices.plan(false);
    hub.learn(choices.info());
    take(translator.finishPlan(accepted, deps.now()));
    if (accepted && translator.runningTurnId !== null) begin('turn/start', { input: turnInput(implement, []) });
  }

  /** Sends a turn to Codex; the answer, or the refusal, goes to the waiting turn. */
  function begin(method: string, params: Loose): { readonly written: Promise<void> } {
    const own = method === 'turn/start' ? choices.turnParams() : {};
    const { written, answer } = server.request(method, { threadId, ...own, ...params });
    const request = (requests += 1);
    // An answer may come after its turn: it says nothing about the next.
    const isLate = (): boolean => request !== requests;
    answer.then(
      (result) => {
        if (isLate()) return;
        const nativeId = asNonEmptyString(asRecord(asRecord(result)['turn'])['id']);
        if (nativeId !== undefined) translator.bind(nativeId);
        interruptIfWanted();
      },
      (error: unknown) => {
        // Without an answer, the end of the process ends the turn, with a better message.
        if (!(error instanceof AgentRefused) || isLate()) return;
        take(
          translator.endTurn(
            {
              failure: { code: 'PROTOCOL_ERROR', message: `${spec.name} didn't accept the message: ${error.message}` },
            },
            deps.now(),
          ),
        );
      },
    );
    return { written };
  }

  async function send(
    message: string,
    { turnId = deps.newId(), images = [] }: SendOptions,
  ): Promise<{ turnId: string }> {
    const previous = before;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    before = promise;
    try {
      await previous;
      while (running) await running.promise;
      await changing;
      if (!server.isOpen) throw notRunning(spec.name);
      const command = readCommand(message);
      const started = { turnId, ...present({ modelId: hub.info.modelId }) };
      if (command.kind !== 'message' && command.kind !== 'turn') {
        publish(translator.startTurn(started, deps.now()));
        void answerCommand(command);
        return { turnId };
      }
      isWriting = true;
      const { written } =
        command.kind === 'turn'
          ? begin(command.method, command.params)
          : begin('turn/start', { clientUserMessageId: turnId, input: turnInput(command.text, images) });
      await watch.written(written).finally(() => {
        isWriting = false;
      });
      // Codex's first output arrives with a later event, so the turn starts before anything in it.
      publish(translator.startTurn(started, deps.now()));
      if (wantsCancel) translator.noteCancel();
      return { turnId };
    } finally {
      done();
    }
  }

  /** Answers a command that Codex leaves to its client. The turn is over once it is answered. */
  async function answerCommand(command: OwnCommand): Promise<void> {
    const answer = await answerOf(command, { hub, choices, threadId, cwd, ask }).catch(String);
    if (translator.runningTurnId === null) return;
    publish(translator.say(answer, deps.now()));
    take(translator.endTurn({ status: 'completed' }, deps.now()));
  }

  function interruptIfWanted(): void {
    const turnId = translator.nativeTurnId;
    if (!wantsCancel || turnId === undefined) return;
    // A turn that is only just starting refuses; it is asked again once it reports that it runs.
    void ask('turn/interrupt', { threadId, turnId }).catch(() => {});
  }

  return {
    sessionId,
    threadId,
    pid: agent.pid,
    get isAlive() {
      return server.isOpen && !isKilled;
    },
    notified(method, params) {
      if (watch.failure) return;
      // Subagents have their own threads; their work shows in this thread's calls.
      const thread = asText(params['threadId']);
      if (thread !== undefined && thread !== threadId) return;
      take(translator.notified(method, params, deps.now()));
      if (method === 'turn/started') interruptIfWanted();
    },
    async asked(method, params, signal) {
      // A subagent's calls aren't known here.
      const isOwn = (asText(params['threadId']) ?? threadId) === threadId;
      const calls = { find: translator.describeCall, open: isOwn ? translator.openCalls() : [] };
      const question = codexQuestion({ method, params }, place(), calls);
      if (!question) throw new AgentRefused(-32601, `Method not found: ${method}`);
      return (await askUser(question, signal)).reply;
    },
    closed(end) {
      watch.turnEnded();
      const failure = watch.failure ?? {
        code: 'PROCESS_CRASH' as const,
        message: describeExit(spec.name, agent, server, end),
      };
      questions.endAll(`${spec.name} stopped.`);
      if (isKilled) take(translator.endTurn({ status: 'cancelled' }, deps.now()));
      publish(translator.close(failure, deps.now()));
      stopEmitting();
      if (!isKilled) hub.closed.emit(new ProviderError(failure.code, failure.message));
    },
    send,
    steer: (message, { turnId, images = [] }) =>
      steerTurn(ask, {
        threadId,
        expectedTurnId: translator.nativeTurnId,
        clientUserMessageId: turnId,
        input: turnInput(message, images),
      }),
    async cancel() {
      if (translator.runningTurnId === null && !isWriting) return;
      wantsCancel = true;
      translator.noteCancel();
      questions.endAll('The turn was cancelled.');
      watch.expectStop();
      interruptIfWanted();
    },
    answer: (given) => questions.answer(given),
    async choose(kind, value) {
      await offered;
      if (kind === 'mode') {
        const changed = changing.then(() => changeMode(choices, value, threadId, ask));
        changing = changed.catch(() => {});
        await changed;
      } else choices.choose(kind, value);
      hub.learn(choices.info());
    },
    hasBackgroundWork: () => translator.runningTurnId === null && translator.hasOpenCalls(),
    ask,
    async kill() {
      isKilled = true;
      await agent.kill();
    },
  };
}
