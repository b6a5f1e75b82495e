import type { TurnOutcome } from '@liminal/domain/accumulate/turns';
import { toUsage } from './usage.ts';
import { type PendingSend, type Translation, type Turn, createTurn, emit, reportInfo } from './translation.ts';

/** Which turn an event belongs to (decisions 2 and 3): the messages it names decide, never its position. */

export function startTurn(t: Translation, turn: Turn, model: string | undefined, at: number): Turn {
  t.current = turn;
  t.latest = turn;
  t.draining = false;
  const modelId = model ?? t.model;
  emit(t, t.accumulator.startTurn({ turnId: turn.id, ...(modelId && { modelId }), initiator: turn.initiator }, at));
  return turn;
}

export function endTurn(t: Translation, turn: Turn, outcome: TurnOutcome, at: number): void {
  emit(t, t.accumulator.endTurn(turn.id, outcome, at));
  turn.over = true;
  for (const itemId of turn.sourcedItems) t.sources.delete(itemId);
  turn.sourcedItems.length = 0;
  turn.messages.clear();
  turn.emitted.clear();
  turn.itemByUuid.clear();
  if (t.current === turn) t.current = undefined;
  t.pending = t.pending.filter((send) => send.turnId !== turn.id);
  for (const [parent, message] of t.streaming) if (message.turn === turn) t.streaming.delete(parent);
}

function takeUp(t: Translation, taken: PendingSend): void {
  t.pending = t.pending.filter((send) => send !== taken);
}

/**
 * The turn ended without accepting a message steered into it: Claude Code answers that next. Its turn starts
 * immediately, so no other message of ours is sent before it; it still waits for Claude Code to name the message.
 */
export function beginMissed(t: Translation, at: number): void {
  // An older Claude Code doesn't say which messages it accepted: one meant for this turn counts as accepted.
  if (!t.namesMessages) t.pending = t.pending.filter((send) => !send.steered);
  const missed = t.current ? undefined : t.pending.find((send) => send.steered);
  if (missed) startTurn(t, createTurn(missed.turnId, 'user'), undefined, at);
}

/** Whether the running turn is that of a steered message Claude Code hasn't accepted yet. */
export const isAwaited = (t: Translation): boolean => t.pending.some((send) => send.turnId === t.current?.id);

/** Claude Code accepted our message: its turn starts. */
function startSend(t: Translation, send: PendingSend, model: string | undefined, at: number): Turn {
  takeUp(t, send);
  const turn = createTurn(send.turnId, 'user');
  turn.interrupted = send.interrupted;
  return startTurn(t, turn, model, at);
}

export function startAgentTurn(t: Translation, model: string | undefined, at: number): Turn {
  return startTurn(t, createTurn(t.options.newTurnId(), 'agent'), model, at);
}

/** The running turn; without one, the turn of our oldest waiting message, or a new turn of the agent. */
export function ensureTurn(t: Translation, model: string | undefined, at: number): Turn {
  if (t.current) return t.current;
  const oldest = t.pending[0];
  return oldest ? startSend(t, oldest, model, at) : startAgentTurn(t, model, at);
}

/** An event names messages of ours: Claude Code has accepted them. */
export function bindMessages(t: Translation, uuids: readonly string[], model: string | undefined, at: number): void {
  if (t.pending.length === 0) return;
  for (const uuid of uuids) {
    const send = t.pending.find((waiting) => waiting.uuid === uuid);
    if (!send) continue;
    t.namesMessages = true;
    if (!t.current) startSend(t, send, model, at);
    else if (t.current.initiator === 'agent' && !send.steered) {
      // Our message was accepted during the agent's own turn: that turn ends here and ours continues (decision 3).
      endTurn(t, t.current, { status: 'completed' }, at);
      startSend(t, send, model, at);
    } else {
      takeUp(t, send);
    }
  }
}

/** The model's usage so far in this turn, while it runs (MM-2). */
export function reportTurnUsage(t: Translation, turn: Turn): void {
  let usage = turn.usage;
  for (const message of turn.messages.values()) {
    usage = {
      input: usage.input + message.usage.input,
      output: usage.output + message.usage.output,
      read: usage.read + message.usage.read,
      write: usage.write + message.usage.write,
    };
  }
  reportInfo(t, { turnUsage: toUsage(usage) });
}
