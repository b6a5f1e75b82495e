import type { Loose } from '../../kit/read-json.ts';
import { readNative } from './native.ts';
import { clearedNote } from './notes.ts';
import { translateAssistant, translateUser } from './translate-whole.ts';
import { countUnknown, translateStream } from './translate-stream.ts';
import { hasRunningTasks, translateInit, translateRateLimit, translateSystem } from './translate-system.ts';
import { translateResult } from './translate-result.ts';
import { endTurn, ensureTurn } from './translate-turns.ts';
import {
  type Translated,
  type Translation,
  type TranslationOptions,
  createTranslation,
  emit,
  note,
  reportInfo,
} from './translation.ts';

/** What happens in one Claude Code session: its messages, and our actions. */
export type ClaudeFact =
  /** A new process answers from here on. */
  | { readonly kind: 'process-started' }
  /** Our message was sent. A steered one is meant for the running turn, and gets its own turn if it misses that. */
  | { readonly kind: 'sent'; readonly uuid: string; readonly turnId: string; readonly steered?: boolean }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'said'; readonly message: unknown }
  | { readonly kind: 'permission-opened'; readonly callId: string }
  | { readonly kind: 'permission-closed'; readonly callId: string }
  /** Nothing more will come from this process. `wanted`: we ended it ourselves. */
  | { readonly kind: 'stream-ended'; readonly reason?: string; readonly wanted?: boolean };

/** Pure: facts in, upserts and turn events out; the time is an argument. Live events and history both go through it. */
export type ClaudeTranslator = {
  translate(fact: ClaudeFact, at: number): Translated;
  /** Emits text that has waited long enough; due at `nextDue`. */
  tick(at: number): Translated;
  nextDue(): number | null;
  /** The approximate number of characters held in unfinished items. */
  heldLength(): number;
  currentTurnId(): string | undefined;
  /** The turn a call belongs to, for requests about it. */
  turnOfCall(callId: string): string | undefined;
  argumentsOf(callId: string): Loose;
  hasBackgroundWork(): boolean;
  /** A steered message hasn't been accepted yet, by the running turn or for its own. */
  awaitsSteered(): boolean;
  /** How often each unknown kind was seen (MM-3). */
  unknownKinds(): ReadonlyMap<string, number>;
};

export function createClaudeTranslator(options: TranslationOptions): ClaudeTranslator {
  const t = createTranslation(options);
  const take = (): Translated => {
    const taken = { emissions: t.out, signals: t.signals };
    t.out = [];
    t.signals = [];
    return taken;
  };
  return {
    translate(fact, at) {
      apply(t, fact, at);
      return take();
    },
    tick(at) {
      emit(t, t.accumulator.tick(at));
      return take();
    },
    nextDue: () => t.accumulator.nextDue(),
    heldLength: () => t.accumulator.heldLength(),
    currentTurnId: () => t.current?.id,
    turnOfCall: (callId) => t.calls.get(callId)?.turn.id,
    argumentsOf: (callId) => t.calls.get(callId)?.input ?? {},
    hasBackgroundWork: () => hasRunningTasks(t),
    awaitsSteered: () => t.pending.some((send) => send.steered),
    unknownKinds: () => t.unknownKinds,
  };
}

function apply(t: Translation, fact: ClaudeFact, at: number): void {
  switch (fact.kind) {
    case 'process-started':
      t.initKey = '';
      t.draining = false;
      t.namesMessages = false;
      return;
    case 'sent':
      t.pending = [
        ...t.pending,
        { uuid: fact.uuid, turnId: fact.turnId, steered: fact.steered === true, interrupted: false },
      ];
      return;
    case 'interrupted':
      interrupt(t);
      return;
    case 'said':
      return hear(t, fact.message, at);
    case 'permission-opened':
      return emit(t, t.accumulator.updateCall(fact.callId, { awaitingPermission: true }, at));
    case 'permission-closed': {
      // Waiting for a user isn't the tool's own time.
      const call = t.calls.get(fact.callId);
      if (call) call.readyAt = at;
      return emit(t, t.accumulator.updateCall(fact.callId, { awaitingPermission: false }, at));
    }
    case 'stream-ended':
      return endStream(t, fact, at);
  }
}

function interrupt(t: Translation): void {
  if (t.current) t.current.interrupted = true;
  else if (t.pending[0]) t.pending[0].interrupted = true;
}

function hear(t: Translation, message: unknown, at: number): void {
  const native = readNative(message);
  if (t.draining && (native.kind === 'stream' || native.kind === 'assistant' || native.kind === 'user')) return;
  if (t.current && native.kind !== 'stream' && native.kind !== 'ignored') t.current.answered = false;
  switch (native.kind) {
    case 'init':
      return translateInit(t, native, at);
    case 'stream':
      return translateStream(t, native, at);
    case 'assistant':
      return translateAssistant(t, native, at);
    case 'user':
      return translateUser(t, native, at);
    case 'result':
      return translateResult(t, native, at);
    case 'system':
      return translateSystem(t, native, at);
    case 'lifecycle':
      return translateLifecycle(t, native.uuid, native.state, at);
    case 'rate-limit':
      return translateRateLimit(t, native.fields, at);
    case 'auth-status':
      return note(t, `Claude Code couldn't sign in: ${native.error}`, at);
    case 'conversation-reset':
      if (t.current) return note(t, clearedNote, at);
      t.wasCleared = true;
      return;
    case 'ignored':
      return;
    case 'unknown':
      return countUnknown(t, native.name);
  }
}

/** A message that was discarded, or withdrawn before its turn started, has no result of its own. */
function translateLifecycle(t: Translation, uuid: string, state: string, at: number): void {
  const send = t.pending.find((waiting) => waiting.uuid === uuid);
  if (!send || (state !== 'cancelled' && state !== 'completed')) return;
  if (t.current?.id === send.turnId) return endTurn(t, t.current, { status: state }, at);
  if (send.steered) t.pending = t.pending.filter((waiting) => waiting !== send);
  else if (state === 'cancelled' && !t.current && t.pending[0] === send)
    endTurn(t, ensureTurn(t, undefined, at), { status: 'cancelled' }, at);
}

/** The process is gone: every unanswered turn ends here. */
function endStream(t: Translation, fact: { reason?: string; wanted?: boolean }, at: number): void {
  const errorMessage = `Claude Code ended before the turn finished${fact.reason ? ` (${fact.reason})` : ''}. Send the message again to resume the session.`;
  while (t.current || t.pending.length > 0) {
    const turn = ensureTurn(t, undefined, at);
    if (turn.answered) endTurn(t, turn, { status: 'completed' }, at);
    else if (fact.wanted) endTurn(t, turn, { status: 'cancelled' }, at);
    else endTurn(t, turn, { status: 'failed', errorCode: 'PROCESS_CRASH', errorMessage }, at);
  }
  t.streaming.clear();
  const running = [...t.tasks.values()].filter((task) => task.state === 'running');
  for (const task of running) t.tasks.set(task.taskId, { ...task, state: 'stopped' });
  if (running.length > 0) reportInfo(t, { backgroundTasks: [...t.tasks.values()] });
}
