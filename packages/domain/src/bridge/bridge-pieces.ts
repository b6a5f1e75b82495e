import type { BridgeMessage, ToolCallUpsert, TurnTerminal, UpsertObject } from '@liminal/contracts';

/** Where a piece belongs: the pieces of one item share its id as `msg_id`. */
export const pieceOf = ({ itemId, sessionId, turnId, parentCallId }: UpsertObject) => ({
  msg_id: itemId,
  session_id: sessionId,
  turn_id: turnId,
  ...(parentCallId === undefined ? {} : { parent_call_id: parentCallId }),
});

/** A `tool_call` the first time a call is sent, a `tool_call_update` after that. */
export function callMessage(item: ToolCallUpsert, isKnown: boolean): BridgeMessage {
  const { callId, toolArguments, toolName, title, toolKind, diffs, locations, toolOutput, toolOutputIsError } = item;
  const call = {
    ...pieceOf(item),
    call_id: callId,
    status: callStatus(item),
    arguments: toolArguments,
    ...(title === undefined ? {} : { title }),
    ...(diffs === undefined ? {} : { diffs }),
    ...(locations === undefined ? {} : { locations }),
    ...(toolOutput === undefined ? {} : { output: toolOutput }),
    ...(toolOutputIsError === undefined ? {} : { output_is_error: toolOutputIsError }),
  };
  if (isKnown) return { type: 'tool_call_update', ...call };
  return { type: 'tool_call', ...call, name: toolName, ...(toolKind === undefined ? {} : { kind: toolKind }) };
}

type CallStatus = Extract<BridgeMessage, { type: 'tool_call' }>['status'];

function callStatus({ status, toolOutputIsError, awaitingPermission }: ToolCallUpsert): CallStatus {
  switch (status) {
    case 'create':
    case 'update':
      return awaitingPermission || status === 'create' ? 'pending' : 'in_progress';
    case 'complete':
      return toolOutputIsError ? 'failed' : 'completed';
    case 'error':
      return 'failed';
  }
}

export const useOf = ({ usage, costUsd, durationMs }: TurnTerminal) => ({
  ...(usage === undefined ? {} : { usage }),
  ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
  ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
});
