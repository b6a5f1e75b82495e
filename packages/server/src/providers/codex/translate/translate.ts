import type { McpServer, SessionInfo, UpsertObject } from '@liminal/contracts';
import { type AccumulatorOptions, createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { TurnStart } from '@liminal/domain/accumulate/turns';
import type { TurnFailure } from '../../acp/connection/failures.ts';
import { createItemPlaces } from '../../acp/translate/item-places.ts';
import { type Loose, present } from '../../kit/read-json.ts';
import { codexFailure, type NativeEvent, readNotification } from './native.ts';
import type { NativeCall, NativeItem } from './native-items.ts';
import { createCallTranslation } from './translate-calls.ts';
import { createTextTranslation } from './translate-texts.ts';
import { filesOfPatch } from './file-changes.ts';
import { createTurnUsage } from './turn-usage.ts';

export type TranslatorOptions = AccumulatorOptions & {
  /** The first number for items before any turn; must differ from those of an earlier start. */
  readonly firstPlace?: number;
  /** How a user signs in. */
  readonly loginSteps?: () => string;
  /** A turn that ends with a plan waits for `finishPlan`, because the user is asked about it first. */
  readonly holdsPlans?: () => boolean;
};

/** What one message of Codex means for us. */
export type Translation = {
  readonly emissions: readonly Emission[];
  readonly info?: SessionInfo;
  /** The name of something this build doesn't know. */
  readonly unknown?: string;
  /** A plan is finished and its turn waits. */
  readonly planned?: { readonly planId: string; readonly text: string };
};

type TurnEnd = Extract<NativeEvent, { kind: 'turn-completed' }>;

/**
 * Drives the accumulator with `codex app-server`'s messages about one thread. It has no clock and starts nothing: the
 * same sequence of calls gives the same emissions, live or from a recording.
 */
export type Translator = {
  readonly runningTurnId: string | null;
  /** Codex's own id of the running turn, once known. */
  readonly nativeTurnId: string | undefined;
  startTurn(turn: TurnStart, at: number): readonly Emission[];
  bind(nativeTurnId: string): void;
  notified(method: string, params: Loose, at: number): Translation;
  ask(callId: string, at: number): readonly Emission[];
  answered(callId: string, accepted: boolean, at: number): readonly Emission[];
  /** We asked Codex to stop: however the turn ends now, it was cancelled. */
  noteCancel(): void;
  /** Our own answer, to a command Codex doesn't know itself. */
  say(text: string, at: number): readonly Emission[];
  note(text: string, at: number): readonly Emission[];
  /** Ends the turn without waiting for Codex to report it. */
  endTurn(
    end: { readonly failure?: TurnFailure; readonly status?: 'completed' | 'cancelled' },
    at: number,
  ): Translation;
  /** The user has decided about the plan: the turn ends, or continues with the turn that carries the plan out. */
  finishPlan(goesOn: boolean, at: number): Translation;
  /** The process is gone. */
  close(failure: TurnFailure, at: number): readonly Emission[];
  hasOpenCalls(): boolean;
  /** The approximate number of characters held in unfinished items. */
  heldLength(): number;
  describeCall(callId: string): NativeCall | undefined;
  /** For a request that names no call. */
  openCalls(): readonly NativeCall[];
  sourceIdOf(upsert: UpsertObject): string | undefined;
  tick(at: number): readonly Emission[];
  nextDue(): number | null;
};

const logIn = (): string => "Codex isn't signed in.";

export function createTranslator(options: TranslatorOptions): Translator {
  const accumulator = createAccumulator(options);
  const places = createItemPlaces(options.firstPlace);
  const texts = createTextTranslation(accumulator, places);
  const calls = createCallTranslation(accumulator, places);
  const usage = createTurnUsage();
  const servers = new Map<string, McpServer>();
  let nativeTurnId: string | undefined;
  let planItemId: string | undefined;
  let plan: { readonly planId: string; readonly text: string } | undefined;
  let held: TurnEnd | undefined;
  let startedAt = 0;
  let cancelled = false;

  const note = (text: string, at: number): readonly Emission[] =>
    text.trim() === ''
      ? []
      : accumulator.putMessage({ ...places.nextNote(), content: text.trim(), origin: 'system' }, at);

  function startTurn(turn: TurnStart, at: number): readonly Emission[] {
    places.begin(turn.turnId);
    texts.forget();
    usage.begin();
    nativeTurnId = undefined;
    planItemId = undefined;
    plan = undefined;
    held = undefined;
    startedAt = at;
    cancelled = false;
    return accumulator.startTurn(turn, at);
  }

  function item(step: 'started' | 'completed', native: NativeItem, at: number): Translation {
    switch (native.type) {
      case 'message':
      case 'thinking':
        return { emissions: texts[step](native.type, native.id, native.text, at) };
      case 'plan':
        if (step === 'completed' && native.text !== '') plan = { planId: native.id, text: native.text };
        return { emissions: texts[step]('plan', native.id, native.text, at) };
      case 'call':
        return { emissions: calls[step](native.call, at) };
      case 'note':
        return { emissions: step === 'completed' ? note(native.text, at) : [] };
      case 'reviewed':
        if (step === 'completed') texts.reviewed();
        return { emissions: [] };
      case 'user': // The sender emits it; history reads it elsewhere.
      case 'silent':
        return { emissions: [] };
      case 'unknown':
        return { emissions: [], ...(step === 'started' && { unknown: `item ${native.name}` }) };
    }
  }

  function finish(
    outcome: { readonly failure?: TurnFailure | undefined; readonly status?: 'completed' | 'cancelled' },
    durationMs: number,
    at: number,
  ): Translation {
    if (!places.isRunning) return { emissions: [] };
    const { turnId } = places;
    const spent = { ...present({ usage: usage.ofTurn() }), durationMs };
    const sessionUsage = usage.ofSession();
    const info = sessionUsage ? { info: { sessionUsage } } : {};
    texts.forget();
    nativeTurnId = undefined;
    held = undefined;
    const isCancelled = cancelled || (outcome.failure === undefined && outcome.status === 'cancelled');
    const isOver = isCancelled || outcome.failure !== undefined;
    const refused = isOver ? [] : calls.closeRefused(at);
    if (isOver) calls.forgetOpen();
    places.end();
    if (!isCancelled && outcome.failure) {
      const { code: errorCode, message: errorMessage } = outcome.failure;
      return {
        emissions: accumulator.endTurn(turnId, { status: 'failed', errorCode, errorMessage, ...spent }, at),
        ...info,
      };
    }
    const status = isCancelled ? 'cancelled' : 'completed';
    return { emissions: [...refused, ...accumulator.endTurn(turnId, { status, ...spent }, at)], ...info };
  }

  function completed(end: TurnEnd, at: number): Translation {
    // The end of a turn that is already over here, or of one that isn't ours.
    if (end.turnId !== nativeTurnId || held) return { emissions: [] };
    const durationMs = Math.max(0, at - startedAt);
    if (end.status === 'interrupted') return finish({ status: 'cancelled' }, durationMs, at);
    if (end.status === 'failed' || end.error) {
      const failure = codexFailure(end.error ?? { message: '' }, options.loginSteps ?? logIn);
      return finish({ failure }, durationMs, at);
    }
    if (plan && !cancelled && options.holdsPlans?.()) {
      held = end;
      return { emissions: [], planned: plan };
    }
    return finish({ status: 'completed' }, durationMs, at);
  }

  function learnServer(event: Extract<NativeEvent, { kind: 'mcp' }>): Translation {
    const { name, message } = event;
    const state =
      event.state === 'starting' || event.state === 'ready' || event.state === 'failed' ? event.state : 'stopped';
    servers.set(name, { name, state, ...present({ message }) });
    return { emissions: [], info: { mcpServers: [...servers.values()] } };
  }

  function notified(method: string, params: Loose, at: number): Translation {
    const event = readNotification(method, params);
    switch (event.kind) {
      case 'turn-started': {
        if (event.turnId === '') return { emissions: [] };
        // Nobody sent anything: Codex continues by itself.
        const begun = places.isRunning ? [] : startTurn({ turnId: event.turnId, initiator: 'agent' }, at);
        // Only the root reports the end. The answer with its id may be processed after this.
        nativeTurnId ??= event.rootId;
        return { emissions: begun };
      }
      case 'turn-completed':
        return completed(event, at);
      case 'item':
        return item(event.step, event.item, at);
      case 'text':
        return { emissions: texts.delta(event.type, event.itemId, event.text, at) };
      case 'part':
        texts.part(event.itemId);
        return { emissions: [] };
      case 'output':
        return { emissions: calls.output(event.callId, event.text, at) };
      case 'changes':
        return { emissions: calls.changes(event.callId, event.diffs, at) };
      case 'plan': {
        planItemId ??= places.next().itemId;
        return {
          emissions: accumulator.putPlan({ itemId: planItemId, turnId: places.turnId, entries: event.entries }, at),
        };
      }
      case 'diff':
        return {
          emissions: [],
          info: { turnPatch: { turnId: places.turnId, files: [...filesOfPatch(event.diff)] } },
        };
      case 'usage':
        usage.record(event.total, event.last);
        return { emissions: [], info: present({ context: event.context, turnUsage: usage.ofTurn() }) };
      case 'limits':
        return { emissions: [], ...(event.limits.length > 0 && { info: { rateLimits: [...event.limits] } }) };
      case 'title':
        return { emissions: [], info: { title: event.title } };
      case 'mcp':
        return learnServer(event);
      case 'failing':
        // An error without a retry ends the turn, and is reported with its end.
        return { emissions: event.willRetry ? note(event.error.message, at) : [] };
      case 'note':
        return { emissions: note(event.text, at) };
      case 'silent':
        return { emissions: [] };
      case 'unknown':
        return { emissions: [], unknown: event.name };
    }
  }

  return {
    get runningTurnId() {
      return places.isRunning ? places.turnId : null;
    },
    get nativeTurnId() {
      return nativeTurnId;
    },
    startTurn,
    bind(id) {
      if (places.isRunning) nativeTurnId ??= id;
    },
    notified,
    ask: (callId, at) => calls.ask(callId, at),
    answered: (callId, accepted, at) => calls.answered(callId, accepted, at),
    noteCancel() {
      cancelled = places.isRunning;
    },
    say: (text, at) => accumulator.putMessage({ ...places.next(), content: text, origin: 'agent' }, at),
    note,
    endTurn: (end, at) => finish(end, Math.max(0, at - startedAt), at),
    finishPlan(goesOn, at) {
      if (!held) return { emissions: [] };
      held = undefined;
      plan = undefined;
      if (goesOn && !cancelled) {
        nativeTurnId = undefined;
        return { emissions: [] };
      }
      return finish({ status: 'completed' }, Math.max(0, at - startedAt), at);
    },
    close(failure, at) {
      cancelled = false; // It was asked to stop and died instead: the user must see that.
      const ended = finish({ failure }, Math.max(0, at - startedAt), at).emissions;
      return [...ended, ...accumulator.destroy(at, failure)];
    },
    hasOpenCalls: () => calls.hasOpen(),
    heldLength: () => accumulator.heldLength(),
    describeCall: (callId) => calls.describe(callId),
    openCalls: () => calls.open(),
    sourceIdOf: (upsert) => texts.sourceIdOf(upsert.itemId) ?? places.sourceIdOf(upsert),
    tick: (at) => accumulator.tick(at),
    nextDue: () => accumulator.nextDue(),
  };
}
