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

/** `text` is to be added to what came under the same `msg_id`; with `replace` it takes the place of all of it. */
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

/** What belongs to no other kind: the life of turns, notes, what a user said, and how a request ended. */
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
  /** Only when a history is sent again: a host knows what it sent itself. */
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

/** What an agent said, in the text of a channel host. */
export const BridgeMessage = z.union([
  BridgeSystemMessage,
  z.object({ type: z.literal('agent_text'), ...text }),
  z.object({ type: z.literal('agent_thought'), ...text }),
  z.object({ type: z.literal('tool_call'), ...call, name: z.string(), kind: ToolKind.optional() }),
  z.object({ type: z.literal('tool_call_update'), ...call }),
  /** `id` is what `agent:permission-response` names. */
  z.object({
    type: z.literal('permission_request'),
    ...session,
    id: z.string(),
    ...PermissionRequest.omit({ requestId: true }).shape,
  }),
  z.object({ type: z.literal('agent_info'), ...session, ...SessionInfo.shape }),
]);
export type BridgeMessage = z.infer<typeof BridgeMessage>;
