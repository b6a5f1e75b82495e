import type { Emission } from '@liminal/domain/accumulate/emission';

/** An agent's updates, as far as the translator reads them. */
export const text = (words: string, messageId?: string): object => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: words },
  ...(messageId !== undefined && { messageId }),
});
export const thought = (words: string, messageId?: string): object => ({
  ...text(words, messageId),
  sessionUpdate: 'agent_thought_chunk',
});
export const call = (toolCallId: string, fields: object = {}): object => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  ...fields,
});
export const change = (toolCallId: string, fields: object): object => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  ...fields,
});
export const words = (content: string): object => ({
  content: [{ type: 'content', content: { type: 'text', text: content } }],
});

/** Sorts emissions: every state, the last state of each item, and the turn events. */
export function sort(emissions: readonly Emission[]) {
  const upserts = emissions.flatMap((emission) => (emission.kind === 'upsert' ? [emission.upsert] : []));
  return {
    items: [...new Map(upserts.map((upsert) => [upsert.itemId, upsert])).values()],
    turns: emissions.flatMap((emission) => (emission.kind === 'turn' ? [emission.event] : [])),
    upserts,
  };
}
