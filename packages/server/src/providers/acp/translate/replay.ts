import { personsItemId } from '@liminal/domain/items/item-id';
import type { TurnEvent, TurnRecord, TurnStarted, TurnTerminal, UpsertObject } from '@liminal/contracts';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { isoTime } from '@liminal/domain/time/iso-time';
import { asRecord, asText, present } from '../../kit/read-json.ts';
import type { ReplayedHistory } from '../../provider.ts';
import { contentText, readUpdate } from './native.ts';
import { readReplayedPrompt } from './replayed-prompt.ts';
import { createTranslator, type Translation, type TranslatorOptions } from './translate.ts';

/** The replay of `session/load`, through the same translator as live events. */
export type Replay = {
  /** Returns the parts that aren't history: title, commands, choices. */
  update(raw: unknown, at: number): Translation;
  finish(at: number): ReplayedHistory;
};

/**
 * Turn ids come from the agent's own message ids, or a count if it gives none, so they are the same at every load. A
 * replayed call may be reported finished before its output, so calls are finished with their turn.
 */
export function createReplay(options: TranslatorOptions): Replay {
  const translator = createTranslator({ ...options, batchGradient: [Number.POSITIVE_INFINITY] });
  const turns: TurnRecord[] = [];
  const entries = new Map<string, { readonly upsert: UpsertObject; readonly sourceId?: string }>();
  const endings = new Map<string, Record<string, unknown>>();
  let started: TurnStarted | undefined;
  let ended: TurnTerminal | undefined;
  let user: { readonly itemId: string; readonly messageId: string | undefined; content: string } | undefined;
  /** A command without an answer yet. */
  let command: { readonly messageId: string | undefined; readonly text: string } | undefined;

  function keep(emissions: readonly Emission[]): void {
    for (const emission of emissions) {
      if (emission.kind === 'turn') {
        keepEvent(emission.event);
        continue;
      }
      const sourceId = translator.sourceIdOf(emission.upsert);
      const known = entries.get(emission.upsert.itemId)?.sourceId ?? sourceId;
      entries.set(emission.upsert.itemId, { upsert: emission.upsert, ...(known !== undefined && { sourceId: known }) });
    }
  }

  function keepEvent(event: TurnEvent): void {
    if (event.type === 'turn_started') {
      started = event;
      return;
    }
    // A replay takes no time, and the original duration isn't reported.
    const { durationMs: _, ...terminal } = event;
    ended = terminal;
  }

  function beginTurn(messageId: string | undefined, at: number): string {
    endTurn('end_turn', at);
    const turnId = messageId === undefined ? `replay-${turns.length + 1}` : `replay-${messageId}`;
    keep(translator.startTurn({ turnId }, at));
    return turnId;
  }

  function endTurn(stopReason: string, at: number): void {
    const turnId = translator.runningTurnId;
    user = undefined;
    if (turnId === null) return;
    for (const callId of endings.keys()) endCall(callId, at);
    keep(translator.endTurn({ response: { stopReason } }, at).emissions);
    const state = stopReason === 'cancelled' ? 'cancelled' : 'completed';
    turns.push({ turnId, state, ...present({ started, ended }) });
  }

  function endCall(callId: string, at: number): void {
    const ending = endings.get(callId);
    endings.delete(callId);
    if (ending) keep(translator.update(ending, at).emissions);
  }

  function userChunk(messageId: string | undefined, said: string, at: number): void {
    const prompt = readReplayedPrompt(said);
    // It got no answer: it changed the agent, not the conversation.
    command = undefined;
    switch (prompt.kind) {
      case 'interrupted':
        return endTurn('cancelled', at);
      case 'nothing':
        return;
      case 'command':
        endTurn('end_turn', at);
        command = { messageId, text: prompt.text };
        return;
      case 'prompt':
        return prompted(messageId, prompt.text, at);
    }
  }

  function prompted(messageId: string | undefined, text: string, at: number): void {
    if (user && user.messageId === messageId) user.content += `\n${text}`;
    else user = { itemId: personsItemId(beginTurn(messageId, at)), messageId, content: text };
    const turnId = translator.runningTurnId ?? '';
    const time = isoTime(at);
    const upsert: UpsertObject = {
      type: 'message',
      turnId,
      sessionId: options.sessionId,
      itemId: user.itemId,
      sourceTimestamp: time,
      emittedAt: time,
      status: 'complete',
      content: user.content,
      origin: 'user',
    };
    entries.set(user.itemId, { upsert, ...(messageId !== undefined && { sourceId: `user:${messageId}` }) });
  }

  return {
    update(raw, at) {
      const native = readUpdate(raw);
      if (native.kind === 'text' && native.role === 'user') {
        userChunk(native.messageId, contentText(asRecord(raw)['content']), at);
        return { emissions: [] };
      }
      // Warnings and notes are about the replaying process, not the conversation.
      const isNote =
        native.kind === 'note' ||
        (native.kind === 'text' && native.role === 'agent' && native.messageId === undefined && options.notesLackIds);
      if (isNote) return { emissions: [] };
      const isContent = native.kind === 'text' || native.kind === 'call' || native.kind.startsWith('plan');
      if (isContent && command) prompted(command.messageId, command.text, at);
      command = isContent ? undefined : command;
      if (isContent && translator.runningTurnId === null) beginTurn(undefined, at);
      if (isContent) user = undefined;
      // Another call under the id of one that ended earlier in this turn.
      if (native.kind === 'call' && native.call.isBegun) endCall(native.call.callId, at);
      const translated = translator.update(native.kind === 'call' ? withoutEnding(raw) : raw, at);
      keep(translated.emissions);
      return { ...translated, emissions: [] };
    },
    finish(at) {
      endTurn('end_turn', at);
      return { turns, entries: [...entries.values()] };
    },
  };

  function withoutEnding(raw: unknown): unknown {
    const { status, ...update } = asRecord(raw);
    const callId = asText(update['toolCallId']) ?? '';
    const known = endings.get(callId);
    if (status === 'completed' || status === 'failed' || known) {
      const rawOutput = update['rawOutput'] ?? known?.['rawOutput'];
      const ended = status === 'completed' || status === 'failed' ? status : known?.['status'];
      endings.set(callId, { sessionUpdate: 'tool_call_update', toolCallId: callId, status: ended, rawOutput });
    }
    return update;
  }
}
