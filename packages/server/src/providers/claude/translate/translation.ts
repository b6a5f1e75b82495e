import { noteItemId } from '@liminal/domain/items/item-id';
import type { BackgroundTask, SessionInfo, UpsertObject } from '@liminal/contracts';
import { type Accumulator, createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { Loose } from '../../kit/read-json.ts';
import type { NativeUsage } from './native.ts';
import { noUsage } from './usage.ts';

/** An emission with the agent's own id of what it speaks of, to match a later replay of its record. */
export type SourcedEmission = Emission & { readonly sourceId?: string };

/** What the session should know beside its items. */
export type ClaudeSignal =
  | { readonly kind: 'info'; readonly info: SessionInfo }
  | { readonly kind: 'agent-session'; readonly sessionId: string }
  | { readonly kind: 'unknown-kind'; readonly name: string };

export type Translated = { readonly emissions: readonly SourcedEmission[]; readonly signals: readonly ClaudeSignal[] };

export type TranslationOptions = {
  readonly sessionId: string;
  /** The agent's own id of it, where it is another one. */
  readonly agentSessionId?: string;
  /** A fresh id for a turn nobody asked for. */
  readonly newTurnId: () => string;
  /** Notes outside any turn are numbered from here on; another number than those of an earlier start. */
  readonly firstNote?: number;
  readonly maxLatencyMs?: number;
  readonly firstLatencyMs?: number;
  readonly batchTimeoutMs?: number;
};

/** A message of ours that Claude Code has not taken up yet. A steered one was meant for the turn that ran then. */
export type PendingSend = {
  readonly uuid: string;
  readonly turnId: string;
  readonly steered: boolean;
  interrupted: boolean;
};

export type Block = {
  readonly itemId: string;
  readonly kind: 'text' | 'thinking' | 'call' | 'plan' | 'other';
  readonly callId: string | undefined;
  readonly toolName: string;
  json: string;
  hasText: boolean;
  /** Its whole `assistant` message was seen: the stop only confirms. */
  whole: boolean;
  wholeText: string | undefined;
  stopped: boolean;
  ended: boolean;
};

/** One answer of the model: the events of one `message_start … message_stop`, or whole messages with one id. */
export type ModelMessage = {
  readonly id: string;
  readonly turn: Turn;
  readonly ordinal: number;
  readonly parent: string | undefined;
  readonly blocks: Map<number, Block>;
  wholeBlocks: number;
  usage: NativeUsage;
  stopReason: string | null | undefined;
  /** Cut by an interrupt: its blocks stay as they are, the turn event alone says cancelled. */
  aborted: boolean;
};

export type Turn = {
  readonly id: string;
  readonly initiator: 'user' | 'agent';
  readonly messages: Map<string, ModelMessage>;
  readonly sourcedItems: string[];
  /** The newest state of each item, and which of the agent's messages it shows: it may take one back. */
  readonly emitted: Map<string, UpsertObject>;
  readonly itemByUuid: Map<string, string>;
  nextOrdinal: number;
  noteCount: number;
  planItemId: string | undefined;
  interrupted: boolean;
  /** Of model calls that are over; the running one is added when reported. */
  usage: NativeUsage;
  lastUsage: NativeUsage;
  refused: boolean;
  refusalSaid: boolean;
  /** Words Claude Code wrote in place of an answer that failed; the result says whether they are the error. */
  failureText: string | undefined;
  failureStamp: string | undefined;
  /** The last message was the end of an answer after `end_turn`. */
  answered: boolean;
  over: boolean;
};

export type KnownCall = { readonly turn: Turn; readonly toolName: string; input: Loose; readyAt: number };

export type Translation = {
  readonly options: TranslationOptions;
  readonly accumulator: Accumulator;
  pending: readonly PendingSend[];
  readonly calls: Map<string, KnownCall>;
  readonly planCalls: Set<string>;
  readonly sources: Map<string, string>;
  /** The answer that streams now, by the subagent's call; '' is the main conversation. */
  readonly streaming: Map<string, ModelMessage>;
  readonly tasks: Map<string, BackgroundTask>;
  readonly unknownKinds: Map<string, number>;
  current: Turn | undefined;
  latest: Turn | undefined;
  /** After a broken protocol: what still comes of that turn is passed over, up to its end. */
  draining: boolean;
  namesMessages: boolean;
  notesOutsideTurns: number;
  initKey: string;
  /** The conversation was cleared; said in the turn that cleared it, which is yet to begin. */
  wasCleared: boolean;
  limitNote: string;
  model: string | undefined;
  agentSessionId: string;
  costSoFar: number;
  contextSize: number;
  out: SourcedEmission[];
  signals: ClaudeSignal[];
};

export function createTranslation(options: TranslationOptions): Translation {
  const { sessionId, maxLatencyMs, firstLatencyMs, batchTimeoutMs } = options;
  return {
    options,
    accumulator: createAccumulator({
      sessionId,
      providerId: 'claude-code',
      ...(maxLatencyMs !== undefined && { maxLatencyMs }),
      ...(firstLatencyMs !== undefined && { firstLatencyMs }),
      ...(batchTimeoutMs !== undefined && { batchTimeoutMs }),
    }),
    pending: [],
    calls: new Map(),
    planCalls: new Set(),
    sources: new Map(),
    streaming: new Map(),
    tasks: new Map(),
    unknownKinds: new Map(),
    current: undefined,
    latest: undefined,
    draining: false,
    namesMessages: false,
    notesOutsideTurns: options.firstNote ?? 0,
    initKey: '',
    wasCleared: false,
    limitNote: '',
    model: undefined,
    agentSessionId: options.agentSessionId ?? sessionId,
    costSoFar: 0,
    contextSize: 0,
    out: [],
    signals: [],
  };
}

export function createTurn(id: string, initiator: Turn['initiator']): Turn {
  return {
    id,
    initiator,
    messages: new Map(),
    sourcedItems: [],
    emitted: new Map(),
    itemByUuid: new Map(),
    nextOrdinal: 1,
    noteCount: 0,
    planItemId: undefined,
    interrupted: false,
    usage: noUsage,
    lastUsage: noUsage,
    refused: false,
    refusalSaid: false,
    failureText: undefined,
    failureStamp: undefined,
    answered: false,
    over: false,
  };
}

/** Passes on what the accumulator says, with the agent's own ids beside it. */
export function emit(t: Translation, emissions: readonly Emission[]): void {
  for (const emission of emissions) {
    if (emission.kind === 'turn') {
      t.out.push(emission);
      continue;
    }
    const { upsert } = emission;
    if (t.current?.id === upsert.turnId) t.current.emitted.set(upsert.itemId, upsert);
    const sourceId = upsert.type === 'tool_call' ? upsert.callId : t.sources.get(upsert.itemId);
    t.out.push(sourceId === undefined ? emission : { ...emission, sourceId });
  }
}

export function reportInfo(t: Translation, info: SessionInfo): void {
  t.signals.push({ kind: 'info', info });
}

/** Remembers which of the agent's messages an item shows, for as long as its turn runs. */
export function noteSource(t: Translation, turn: Turn, itemId: string, sourceId: string): void {
  t.sources.set(itemId, sourceId);
  turn.sourcedItems.push(itemId);
}

/** A note of the system; outside any turn it is under the latest turn, or under `session`. */
export function note(t: Translation, content: string, at: number): void {
  const turn = t.current ?? t.latest;
  const turnId = turn?.id ?? 'session';
  const count = turn ? (turn.noteCount += 1) : (t.notesOutsideTurns += 1);
  emit(t, t.accumulator.putMessage({ itemId: noteItemId(turnId, count), turnId, content, origin: 'system' }, at));
}

/** The answer with this id, opened under the next ordinal of its turn when it is new. */
export function messageOf(turn: Turn, id: string, parent: string | undefined): ModelMessage {
  const known = turn.messages.get(id);
  if (known) return known;
  const message: ModelMessage = {
    id,
    turn,
    ordinal: turn.nextOrdinal,
    parent,
    blocks: new Map(),
    wholeBlocks: 0,
    usage: noUsage,
    stopReason: undefined,
    aborted: false,
  };
  turn.nextOrdinal += 1;
  turn.messages.set(id, message);
  return message;
}
