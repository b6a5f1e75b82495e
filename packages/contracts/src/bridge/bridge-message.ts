import { z } from 'zod';
import { PermissionRequest } from '../session/permission.ts';
import { SessionInfo } from '../session/session-info.ts';
import { SessionStatus } from '../session/session.ts';
import { Usage } from '../session/turn-event.ts';
import { FileDiff, FileLocation, PlanEntry, ToolArguments, ToolKind } from '../session/upsert.ts';

/** Pieces of one message share `msg_id`; `parent_call_id` is the subagent's call they belong to. */
const piece = {
  msg_id: z.string(),
  session_id: z.string(),
  turn_id: z.string(),
  parent_call_id: z.string().optional(),
};

/** `text` is appended to the earlier pieces with the same `msg_id`; with `replace` it replaces them all. */
const text = { ...piece, text: z.string(), replace: z.literal(true).optional(), done: z.boolean() };

const call = {
  ...piece,
  call_id: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'failed']),
  title: z.string().optional(),
  arguments: ToolArguments,
  diffs: z.array(FileDiff).optional(),
  locations: z.array(FileLocation).optional(),
  output: z.string().optional(),
  output_is_error: z.boolean().optional(),
};

const session = { session_id: z.string() };
const turn = { ...session, turn_id: z.string() };
const use = { usage: Usage.optional(), cost_usd: z.number().optional(), duration_ms: z.number().optional() };

/** Everything without a type of its own: turn events, notes, the user's messages, and how permission requests ended. */
export const BridgeSystemMessage = z.discriminatedUnion('subtype', [
  z.object({ type: z.literal('system'), subtype: z.literal('turn_started'), ...turn, model: z.string() }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('turn_complete'),
    ...turn,
    status: z.enum(['completed', 'cancelled']),
    ...use,
  }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('turn_error'),
    ...turn,
    code: z.string(),
    text: z.string(),
    ...use,
  }),
  z.object({ type: z.literal('system'), subtype: z.literal('note'), ...text }),
  /** Only sent with a history: a host already knows what it sent itself. */
  z.object({ type: z.literal('system'), subtype: z.literal('user_message'), ...text }),
  z.object({ type: z.literal('system'), subtype: z.literal('plan'), ...piece, entries: z.array(PlanEntry) }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('permission_closed'),
    ...session,
    id: z.string(),
    state: z.enum(['answered', 'ended']),
    option_id: z.string().optional(),
    reason: z.string().optional(),
  }),
  z.object({ type: z.literal('system'), subtype: z.literal('status'), ...session, ...SessionStatus.shape }),
]);
export type BridgeSystemMessage = z.infer<typeof BridgeSystemMessage>;

/** Everything a channel host receives from an agent. */
export const BridgeMessage = z.union([
  BridgeSystemMessage,
  z.object({ type: z.literal('agent_text'), ...text }),
  z.object({ type: z.literal('agent_thought'), ...text }),
  z.object({ type: z.literal('tool_call'), ...call, name: z.string(), kind: ToolKind.optional() }),
  z.object({ type: z.literal('tool_call_update'), ...call }),
  /** `agent:permission-response` refers to the request by this `id`. */
  z.object({
    type: z.literal('permission_request'),
    ...session,
    id: z.string(),
    ...PermissionRequest.omit({ requestId: true }).shape,
  }),
  z.object({ type: z.literal('agent_info'), ...session, ...SessionInfo.shape }),
]);
export type BridgeMessage = z.infer<typeof BridgeMessage>;
