import type { BridgeMessage, MessageUpsert, PermissionNotice, ThinkingUpsert, TurnEvent } from '@liminal/contracts';
import type { ChangeBody, ItemBody } from '../delivery/change.ts';
import { callMessage, pieceOf, useOf } from './bridge-pieces.ts';
import { type HostState, hasEnded, withOpen, withPermission, withTurn } from './host-state.ts';

export type BridgeStep = { readonly host: HostState; readonly messages: readonly BridgeMessage[] };
export type BridgeOptions = {
  readonly sessionId: string;
  /** Set when a history is sent again, which includes the user's own messages. */
  readonly replay?: boolean;
};

/**
 * The messages a channel host receives for a change: the one place where upserts, turn events and requests become its
 * messages. Full states become pieces of text to append. A state that was already sent adds nothing, so catching up is
 * safe.
 */
export function bridgeMessages(host: HostState, body: ChangeBody, options: BridgeOptions): BridgeStep {
  const session_id = options.sessionId;
  switch (body.type) {
    case 'session:upsert':
      return itemMessages(host, body, options.replay ?? false);
    case 'session:turn':
      return turnMessages(host, body.payload);
    case 'session:permission':
      return permissionMessages(host, body.payload, session_id);
    case 'session:status':
      return { host, messages: [{ type: 'system', subtype: 'status', session_id, ...body.payload }] };
    case 'session:info':
      return { host, messages: [{ type: 'agent_info', session_id, ...body.payload }] };
    case 'session:queue':
    case 'session:comments':
    case 'session:changes':
      return { host, messages: [] };
  }
}

const silent = (host: HostState): BridgeStep => ({ host, messages: [] });

function itemMessages(host: HostState, body: ItemBody, replay: boolean): BridgeStep {
  const { payload: item } = body;
  const order = item.order ?? host.lastOrder + 1;
  const before = host.open.get(item.itemId);
  if (hasEnded(host, item.itemId, order)) return silent(host);
  const done = item.status === 'complete' || item.status === 'error';
  switch (item.type) {
    case 'message':
    case 'thinking': {
      const next = withOpen(host, item.itemId, done ? null : item.content, order);
      if (item.type === 'message' && item.origin === 'user' && !replay) return silent(next);
      return { host: next, messages: textPiece(item, addedText(before, body), before === undefined, done) };
    }
    case 'tool_call': {
      const messages = [callMessage(item, before !== undefined)];
      return { host: withOpen(host, item.itemId, done ? null : '', order), messages };
    }
    case 'plan': {
      const messages = [{ type: 'system', subtype: 'plan', ...pieceOf(item), entries: item.entries }] as const;
      return { host: withOpen(host, item.itemId, done ? null : '', order), messages };
    }
  }
}

type Added = { readonly text: string; readonly replace?: true };

/** The text that is new since `before`; if the text didn't only grow, all of it. */
function addedText(before = '', { payload: item, appended }: ItemBody): Added {
  const content = item.type === 'message' || item.type === 'thinking' ? item.content : '';
  // The agent retracted an answer and started over: none of it stays.
  if (item.errorCode === 'SUPERSEDED') return { text: '', replace: true };
  if (appended && appended.appendedFrom === before.length) return { text: content.slice(before.length) };
  return content.startsWith(before) ? { text: content.slice(before.length) } : { text: content, replace: true };
}

function textPiece(item: MessageUpsert | ThinkingUpsert, added: Added, isNew: boolean, done: boolean): BridgeMessage[] {
  if (added.text === '' && !added.replace && !done && !isNew) return [];
  const piece = { ...pieceOf(item), ...added, done };
  if (item.type === 'thinking') return [{ type: 'agent_thought', ...piece }];
  switch (item.origin) {
    case 'agent':
      return [{ type: 'agent_text', ...piece }];
    case 'system':
      return [{ type: 'system', subtype: 'note', ...piece }];
    case 'user':
      return [{ type: 'system', subtype: 'user_message', ...piece }];
  }
}

function turnMessages(host: HostState, event: TurnEvent): BridgeStep {
  const { turnId: turn_id, sessionId: session_id } = event;
  const known = host.turns.get(turn_id);
  if (known === 'ended' || (known === 'started' && event.type === 'turn_started')) return silent(host);
  const place = { type: 'system', session_id, turn_id } as const;
  switch (event.type) {
    case 'turn_started':
      return {
        host: withTurn(host, turn_id, 'started'),
        messages: [{ ...place, subtype: 'turn_started', model: event.modelId }],
      };
    case 'turn_complete': {
      const message = { ...place, subtype: 'turn_complete', status: event.status, ...useOf(event) } as const;
      return { host: withTurn(host, turn_id, 'ended'), messages: [message] };
    }
    case 'turn_error': {
      const { errorCode: code, errorMessage: text } = event;
      const message = { ...place, subtype: 'turn_error', code, text, ...useOf(event) } as const;
      return { host: withTurn(host, turn_id, 'ended'), messages: [message] };
    }
  }
}

function permissionMessages(host: HostState, notice: PermissionNotice, session_id: string): BridgeStep {
  const { requestId: id, ...request } = notice.request;
  const isKnown = host.permissions.has(id);
  if (notice.state === 'open') {
    if (isKnown) return silent(host);
    const message = { type: 'permission_request', session_id, id, ...request } as const;
    return { host: withPermission(host, id, true), messages: [message] };
  }
  const { state, optionId, reason } = notice;
  const closed: BridgeMessage = {
    type: 'system',
    subtype: 'permission_closed',
    session_id,
    id,
    state,
    ...(optionId === undefined ? {} : { option_id: optionId }),
    ...(reason === undefined ? {} : { reason }),
  };
  return isKnown ? { host: withPermission(host, id, false), messages: [closed] } : silent(host);
}
