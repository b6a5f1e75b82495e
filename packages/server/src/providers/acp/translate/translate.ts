import type { SessionInfo, UpsertObject, Usage } from '@liminal/contracts';
import { type AccumulatorOptions, createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { modelFailure, type TurnFailure } from '../connection/failures.ts';
import { createItemPlaces } from './item-places.ts';
import { asRecord, asNonEmptyString, present } from '../../kit/read-json.ts';
import { type NativeCall, readUpdate, readUsage } from './native.ts';
import { type CallDescription, createCallTranslation } from './translate-calls.ts';
import { createTextTranslation } from './translate-texts.ts';

export type TranslatorOptions = AccumulatorOptions & {
  /** While its model works, chunks without a message id are this agent's notes and errors, not its answer (codex-acp). */
  readonly notesLackIds?: boolean | undefined;
  /** The first number for items before any turn; must differ from those of an earlier start. */
  readonly firstPlace?: number;
};

/** What one message of the agent means for us. */
export type Translation = {
  readonly emissions: readonly Emission[];
  readonly info?: SessionInfo;
  /** The agent's choices changed; the raw list. */
  readonly configOptions?: unknown;
  /** The name of something this build doesn't know. */
  readonly unknown?: string;
};

/** How a prompt ended: the agent's answer, or why there is none. */
export type PromptEnd = { readonly response: unknown } | { readonly failure: TurnFailure };

/**
 * Drives the accumulator with an ACP agent's messages. It has no clock and starts nothing: the same sequence of calls
 * gives the same emissions, live or from a recording.
 */
export type Translator = {
  readonly runningTurnId: string | null;
  startTurn(turn: { readonly turnId: string; readonly modelId?: string | undefined }, at: number): readonly Emission[];
  update(raw: unknown, at: number): Translation;
  ask(call: NativeCall, at: number): readonly Emission[];
  answered(callId: string, accepted: boolean, at: number): readonly Emission[];
  /** We asked the agent to stop: whatever it answers now, the turn was cancelled. */
  noteCancel(): void;
  endTurn(end: PromptEnd, at: number): Translation;
  /** The agent stopped. */
  close(failure: TurnFailure, at: number): readonly Emission[];
  hasOpenCalls(): boolean;
  /** The approximate number of characters held in unfinished items. */
  heldLength(): number;
  describeCall(callId: string): CallDescription | undefined;
  sourceIdOf(upsert: UpsertObject): string | undefined;
  tick(at: number): readonly Emission[];
  nextDue(): number | null;
};

const stopNotes: Readonly<Record<string, string>> = {
  refusal: 'The model declined to continue.',
  max_tokens: "The answer reached the model's length limit.",
  max_turn_requests: "The turn reached the agent's limit of model requests.",
};

export function createTranslator(options: TranslatorOptions): Translator {
  const accumulator = createAccumulator(options);
  const places = createItemPlaces(options.firstPlace);
  const texts = createTextTranslation(accumulator, places);
  const calls = createCallTranslation(accumulator, places);
  const noted = new Set<string>();
  let planId: string | undefined;
  let startedAt = 0;
  let cancelled = false;
  /** The agent says the model failed; the message follows. */
  let failing = false;
  /** The agent says that its model is working. */
  let modelWorks = false;
  let failureText = '';
  let costUsd: number | undefined;
  let costAtStart = 0;
  let sessionUsage: Usage | undefined;

  const note = (content: string, at: number): readonly Emission[] =>
    content.trim() === ''
      ? []
      : accumulator.putMessage({ ...places.nextNote(), content: content.trim(), origin: 'system' }, at);

  /** Once per kind: a user should know that something is missing, not how often. */
  function unknownNote(variant: string, text: string | undefined, at: number): readonly Emission[] {
    if (noted.has(variant)) return [];
    noted.add(variant);
    const sentence = `The agent sent something this version doesn't support (${variant})`;
    return note(text === undefined ? `${sentence}.` : `${sentence}: ${text}`, at);
  }

  function chunk(
    type: 'message' | 'thinking',
    messageId: string | undefined,
    text: string,
    at: number,
  ): readonly Emission[] {
    if (messageId !== undefined) modelWorks = true;
    // Text in a turn without a working model is the agent's own answer, such as Codex's `/status`, in Markdown.
    const isOwnAnswer = places.isRunning && !modelWorks && !failing;
    if (type === 'message' && messageId === undefined && options.notesLackIds && !isOwnAnswer) {
      if (!failing) return note(text, at);
      failureText += text;
      return [];
    }
    return texts.chunk({ type, text, ...present({ messageId }) }, at);
  }

  function update(raw: unknown, at: number): Translation {
    const native = readUpdate(raw);
    switch (native.kind) {
      case 'text':
        // The sender emits the user's own message; a replay handles these earlier.
        if (native.role === 'user') return { emissions: [] };
        return {
          emissions: chunk(native.role === 'agent' ? 'message' : 'thinking', native.messageId, native.text, at),
        };
      case 'call':
        return { emissions: [...texts.finish(at), ...calls.apply(native.call, at)] };
      case 'plan': {
        const finished = planId === undefined ? texts.finish(at) : [];
        planId ??= places.next().itemId;
        const plan = { itemId: planId, turnId: places.turnId, entries: native.entries };
        return { emissions: [...finished, ...accumulator.putPlan(plan, at)] };
      }
      case 'plan-text':
        return { emissions: texts.whole({ messageId: native.planId, text: native.text }, at) };
      case 'commands':
        return { emissions: [], info: { commands: [...native.commands] } };
      case 'mode':
        return { emissions: [], info: { modeId: native.modeId } };
      case 'config':
        return { emissions: [], configOptions: native.configOptions };
      case 'info':
        if (native.threadStatus === 'systemError') failing = places.isRunning;
        if (native.threadStatus === 'active') failing = false;
        if (native.threadStatus !== undefined) modelWorks = native.threadStatus === 'active';
        return { emissions: [], ...(native.title !== undefined && { info: { title: native.title } }) };
      case 'usage': {
        costUsd = native.costUsd ?? costUsd;
        const context =
          native.used === undefined || native.size === undefined
            ? {}
            : { context: { used: native.used, size: native.size } };
        return { emissions: [], info: { ...context, ...(costUsd !== undefined && { sessionCostUsd: costUsd }) } };
      }
      case 'note':
        return { emissions: note(native.text, at) };
      case 'unknown':
        return { emissions: unknownNote(native.variant, native.text, at), unknown: native.variant };
    }
  }

  function totals(response: unknown, at: number): { usage?: Usage; costUsd?: number; durationMs: number } {
    const usage = readUsage(response);
    if (usage) sessionUsage = addUsage(sessionUsage, usage);
    const cost = costUsd === undefined ? undefined : Math.max(0, costUsd - costAtStart);
    return { ...present({ usage, costUsd: cost }), durationMs: Math.max(0, at - startedAt) };
  }

  function endTurn(end: PromptEnd, at: number): Translation {
    if (!places.isRunning) return { emissions: [] };
    const { turnId } = places;
    const response = 'response' in end ? asRecord(end.response) : {};
    const stopReason = asNonEmptyString(response['stopReason']) ?? 'end_turn';
    const spent = totals(response, at);
    const failure =
      'failure' in end ? end.failure : failing || stopReason === 'error' ? modelFailure(failureText) : undefined;
    const info = sessionUsage ? { info: { sessionUsage } } : {};
    texts.forget();
    if (cancelled || stopReason === 'cancelled') {
      calls.forgetOpen();
      places.end();
      return { emissions: accumulator.endTurn(turnId, { status: 'cancelled', ...spent }, at), ...info };
    }
    if (failure) {
      calls.forgetOpen();
      places.end();
      const outcome = { status: 'failed', errorCode: failure.code, errorMessage: failure.message, ...spent } as const;
      return { emissions: accumulator.endTurn(turnId, outcome, at), ...info };
    }
    const known = stopReason === 'end_turn' || Object.hasOwn(stopNotes, stopReason);
    const sentence = known ? stopNotes[stopReason] : `The agent stopped: ${stopReason}`;
    const notes = sentence === undefined ? [] : note(sentence, at);
    const refused = calls.closeRefused(at);
    places.end();
    const ended = accumulator.endTurn(turnId, { status: 'completed', ...spent }, at);
    return {
      emissions: [...refused, ...notes, ...ended],
      ...info,
      ...(!known && { unknown: `stop reason ${stopReason}` }),
    };
  }

  return {
    get runningTurnId() {
      return places.isRunning ? places.turnId : null;
    },
    startTurn({ turnId, modelId }, at) {
      const finished = texts.finish(at);
      places.begin(turnId);
      planId = undefined;
      startedAt = at;
      cancelled = false;
      failing = false;
      failureText = '';
      costAtStart = costUsd ?? 0;
      return [...finished, ...accumulator.startTurn({ turnId, modelId }, at)];
    },
    update,
    ask: (call, at) => [...texts.finish(at), ...calls.ask(call, at)],
    answered: (callId, accepted, at) => calls.answered(callId, accepted, at),
    noteCancel() {
      cancelled = places.isRunning;
    },
    endTurn,
    close(failure, at) {
      cancelled = false; // It was asked to stop and died instead: the user must see that.
      const ended = endTurn({ failure }, at).emissions;
      return [...ended, ...accumulator.destroy(at, failure)];
    },
    hasOpenCalls: () => calls.hasOpen(),
    heldLength: () => accumulator.heldLength(),
    describeCall: (callId) => calls.describe(callId),
    sourceIdOf: (upsert) => places.sourceIdOf(upsert),
    tick: (at) => accumulator.tick(at),
    nextDue: () => accumulator.nextDue(),
  };
}

function addUsage(total: Usage | undefined, more: Usage): Usage {
  if (!total) return more;
  const sum = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
  return present({
    inputTokens: total.inputTokens + more.inputTokens,
    outputTokens: total.outputTokens + more.outputTokens,
    cacheReadInputTokens: sum(total.cacheReadInputTokens, more.cacheReadInputTokens),
    cacheCreationInputTokens: sum(total.cacheCreationInputTokens, more.cacheCreationInputTokens),
  });
}
