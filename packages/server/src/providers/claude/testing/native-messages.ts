import type { SessionInfo, TurnEvent, UpsertObject } from '@liminal/contracts';
import { type ClaudeFact, createClaudeTranslator } from '../translate/translate.ts';
import type { SourcedEmission } from '../translate/translation.ts';

/** Messages as Claude Code writes them, reduced to the fields we read. */

const event = (fields: object, more: object = {}) => ({
  type: 'stream_event',
  event: fields,
  parent_tool_use_id: null,
  ...more,
});

export const say = {
  init: (uuids?: readonly string[], more: object = {}) => ({
    type: 'system',
    subtype: 'init',
    model: 'model-1',
    cwd: '/folder',
    claude_code_version: '9.9.9',
    permissionMode: 'default',
    capabilities: ['request_marker_lists_v1'],
    ...(uuids && { user_message_uuids: uuids }),
    ...more,
  }),
  system: (subtype: string, more: object = {}) => ({ type: 'system', subtype, ...more }),
  start: (id: string, more: object = {}) =>
    event(
      { type: 'message_start', message: { id, model: 'model-1', usage: { input_tokens: 5, output_tokens: 1 } } },
      more,
    ),
  open: (index: number, block: object) => event({ type: 'content_block_start', index, content_block: block }),
  text: (index: number, text: string) =>
    event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
  thought: (index: number, thinking: string) =>
    event({ type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking } }),
  json: (index: number, partial: string) =>
    event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: partial } }),
  close: (index: number) => event({ type: 'content_block_stop', index }),
  delta: (stopReason: string | null) =>
    event({ type: 'message_delta', delta: { stop_reason: stopReason }, usage: { output_tokens: 7 } }),
  stop: (abandonedFrom?: number) =>
    event(
      { type: 'message_stop' },
      abandonedFrom === undefined ? {} : { abandoned_blocks: { from_block_index: abandonedFrom } },
    ),
  stream: event,
  whole: (id: string, block: object, more: object = {}) => ({
    type: 'assistant',
    message: { id, model: 'model-1', content: [block] },
    parent_tool_use_id: null,
    ...more,
  }),
  toolResult: (callId: string, content: unknown, more: object = {}) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content, ...more }] },
    parent_tool_use_id: null,
  }),
  replay: (uuid: string) => ({ type: 'user', message: { role: 'user', content: 'hello' }, uuid, isReplay: true }),
  result: (more: object = {}) => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    usage: { input_tokens: 5, output_tokens: 7 },
    ...more,
  }),
};

/** A translator fed step by step, one millisecond apart, with everything it emitted. */
export function startTranslation() {
  let agentTurns = 0;
  let at = 0;
  const translator = createClaudeTranslator({ sessionId: 's', newTurnId: () => `agent-${(agentTurns += 1)}` });
  const emissions: SourcedEmission[] = [];
  const infos: SessionInfo[] = [];
  const unknown: string[] = [];
  const note = (fact: ClaudeFact): void => {
    const translated = translator.translate(fact, (at += 1));
    emissions.push(...translated.emissions);
    for (const signal of translated.signals) {
      if (signal.kind === 'info') infos.push(signal.info);
      if (signal.kind === 'unknown-kind') unknown.push(signal.name);
    }
  };
  const upserts = (): UpsertObject[] =>
    emissions.flatMap((emission) => (emission.kind === 'upsert' ? [emission.upsert] : []));
  return {
    translator,
    emissions,
    infos,
    unknown,
    note,
    send: (turnId: string) => note({ kind: 'sent', uuid: turnId, turnId }),
    hear: (...messages: readonly unknown[]) => {
      for (const message of messages) note({ kind: 'said', message });
    },
    upserts,
    turns: (): TurnEvent[] => emissions.flatMap((emission) => (emission.kind === 'turn' ? [emission.event] : [])),
    /** `turnId type`, and how it ended. */
    life: (): string[] =>
      emissions.flatMap((emission) => {
        if (emission.kind === 'upsert') return [];
        const { event: reported } = emission;
        const how =
          reported.type === 'turn_complete'
            ? reported.status
            : reported.type === 'turn_error'
              ? reported.errorCode
              : 'started';
        return [`${reported.turnId} ${how}`];
      }),
    /** The newest state of each item except notes, as `itemId type status content`. */
    items: (): string[] =>
      [...new Map(upserts().map((upsert) => [upsert.itemId, upsert])).values()]
        .filter((upsert) => upsert.type !== 'message' || upsert.origin !== 'system')
        .map((upsert) =>
          [upsert.itemId, upsert.type, upsert.status, 'content' in upsert ? upsert.content : ''].join(' ').trim(),
        ),
    notes: (): string[] =>
      upserts().flatMap((upsert) => (upsert.type === 'message' && upsert.origin === 'system' ? [upsert.content] : [])),
  };
}
