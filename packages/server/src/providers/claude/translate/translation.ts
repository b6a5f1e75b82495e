import { noteItemId } from '@liminal/domain/items/item-id';
import type { BackgroundTask, SessionInfo, UpsertObject } from '@liminal/contracts';
import { type Accumulator, createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { Loose } from '../../kit/read-json.ts';
import type { NativeUsage } from './native.ts';
import { noUsage } from './usage.ts';

/** An emission with the agent's own id of its subject, to match a later replay of its record. */
export type SourcedEmission = Emission & { readonly sourceId?: string };

/** What the session should know besides its items. */
export type ClaudeSignal =
  | { readonly kind: 'info'; readonly info: SessionInfo }
  | { readonly kind: 'agent-session'; readonly sessionId: string }
  | { readonly kind: 'unknown-kind'; readonly name: string };

export type Translated = { readonly emissions: readonly SourcedEmission[]; readonly signals: readonly ClaudeSignal[] };

export type TranslationOptions = {
  readonly sessionId: string;
  /** The agent's own id for it, if different. */
  readonly agentSessionId?: string;
  /** A new id for a turn nobody asked for. */
  readonly newTurnId: () => string;
  /** The first number for notes outside any turn; must differ from those of an earlier start. */
  readonly firstNote?: number;
  readonly maxLatencyMs?: number;
  readonly firstLatencyMs?: number;
  readonly batchTimeoutMs?: number;
};

/** A message of ours that Claude Code hasn't accepted yet. A steered one was meant for the turn running then. */
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
  /** Its complete `assistant` message was seen: the stop only confirms. */
  whole: boolean;
  wholeText: string | undefined;
  stopped: boolean;
  ended: boolean;
};

/** One answer of the model: the events of one `message_start … message_stop`, or complete messages with one id. */
export type ModelMessage = {
  readonly id: string;
  readonly turn: Turn;
  readonly ordinal: number;
  readonly parent: string | undefined;
  readonly blocks: Map<number, Block>;
  wholeBlocks: number;
  usage: NativeUsage;
  stopReason: string | null | undefined;
  /** Cut by an interrupt: its blocks stay as they are; only the turn event says cancelled. */
  aborted: boolean;
};

export type Turn = {
  readonly id: string;
  readonly initiator: 'user' | 'agent';
  readonly messages: Map<string, ModelMessage>;
  readonly sourcedItems: string[];
  /** The newest state of each item, and which of the agent's messages it shows: the agent may retract one. */
  readonly emitted: Map<string, UpsertObject>;
  readonly itemByUuid: Map<string, string>;
  nextOrdinal: number;
  noteCount: number;
  planItemId: string | undefined;
  interrupted: boolean;
  /** Of finished model calls; the running one is added when reported. */
  usage: NativeUsage;
  lastUsage: NativeUsage;
  refused: boolean;
  refusalSaid: boolean;
  /** Text Claude Code wrote in place of a failed answer; the result says whether it is the error. */
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
  /** The streaming answer, by the subagent's call; '' is the main conversation. */
  readonly streaming: Map<string, ModelMessage>;
  readonly tasks: Map<string, BackgroundTask>;
  readonly unknownKinds: Map<string, number>;
  current: Turn | undefined;
  latest: Turn | undefined;
  /** After a protocol error: the rest of that turn is ignored. */
  draining: boolean;
  namesMessages: boolean;
  notesOutsideTurns: number;
  initKey: string;
  /** The conversation was cleared; noted in the turn that cleared it, which hasn't started yet. */
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

/** Passes on the accumulator's emissions, with the agent's own ids. */
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

/** Remembers which of the agent's messages an item shows, while its turn runs. */
export function noteSource(t: Translation, turn: Turn, itemId: string, sourceId: string): void {
  t.sources.set(itemId, sourceId);
  turn.sourcedItems.push(itemId);
}

/** A system note; outside any turn it belongs to the latest turn, or to `session`. */
export function note(t: Translation, content: string, at: number): void {
  const turn = t.current ?? t.latest;
  const turnId = turn?.id ?? 'session';
  const count = turn ? (turn.noteCount += 1) : (t.notesOutsideTurns += 1);
  emit(t, t.accumulator.putMessage({ itemId: noteItemId(turnId, count), turnId, content, origin: 'system' }, at));
}

/** The answer with this id; a new one is opened under the next ordinal of its turn. */
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
