import type {
  AppendPayload,
  MessageUpsert,
  PermissionNotice,
  PermissionRequest,
  PlanUpsert,
  SessionHistory,
  SessionMessage,
  ThinkingUpsert,
  ToolCallUpsert,
  TurnEvent,
  UpsertObject,
} from '@liminal/contracts';

const at = '2026-01-01T00:00:00.000Z';
const base = { turnId: 't1', sessionId: 's', sourceTimestamp: at, emittedAt: at, status: 'complete' as const };

type Stamp = { readonly epoch?: string };
const stamp = (seq: number, { epoch = 'e1' }: Stamp = {}) => ({ sessionId: 's', epoch, seq });

/** A finished message of the agent by default. */
export function message(itemId: string, fields: Partial<MessageUpsert> = {}): MessageUpsert {
  return { type: 'message', ...base, itemId, content: 'text', origin: 'agent', ...fields };
}

/** A finished call by default. */
export function toolCall(itemId: string, fields: Partial<ToolCallUpsert> = {}): ToolCallUpsert {
  return {
    type: 'tool_call',
    ...base,
    itemId,
    toolName: 'Tool',
    toolArguments: {},
    callId: `call-${itemId}`,
    ...fields,
  };
}

export function thinking(itemId: string, fields: Partial<ThinkingUpsert> = {}): ThinkingUpsert {
  return { type: 'thinking', ...base, itemId, content: 'hm', providerId: 'demo', ...fields };
}

export function plan(itemId: string, fields: Partial<PlanUpsert> = {}): PlanUpsert {
  return { type: 'plan', ...base, itemId, entries: [], ...fields };
}

export function turnStarted(turnId = 't1'): TurnEvent {
  return { type: 'turn_started', turnId, sessionId: 's', modelId: 'demo', providerId: 'demo' };
}

export function turnComplete(turnId = 't1', status: 'completed' | 'cancelled' = 'completed') {
  return { type: 'turn_complete' as const, turnId, sessionId: 's', status };
}

export function permission(requestId: string): PermissionRequest {
  return { requestId, turnId: 't1', kind: 'tool', title: `Run ${requestId}`, options: [], openedAt: at };
}

export function historyMessage(seq: number, fields: Partial<SessionHistory> = {}, where?: Stamp): SessionMessage {
  const status = { state: 'open' as const, activity: 'idle' as const, isAlive: true };
  const empty = { entries: [], turns: [], hasMore: false, permissions: [], queue: [], status, info: {} };
  return { type: 'session:history', ...stamp(seq, where), ...empty, ...fields };
}

export const upsertMessage = (seq: number, payload: UpsertObject, where?: Stamp): SessionMessage => ({
  type: 'session:upsert',
  ...stamp(seq, where),
  payload,
});

export const appendMessage = (seq: number, payload: AppendPayload): SessionMessage => ({
  type: 'session:append',
  ...stamp(seq),
  payload,
});

export const turnMessage = (seq: number, payload: TurnEvent): SessionMessage => ({
  type: 'session:turn',
  ...stamp(seq),
  payload,
});

export const permissionMessage = (seq: number, payload: PermissionNotice): SessionMessage => ({
  type: 'session:permission',
  ...stamp(seq),
  payload,
});

export const resumedMessage = (seq: number, verdict: 'ok' | 'gap'): SessionMessage => ({
  type: 'session:resumed',
  ...stamp(seq),
  verdict,
});
