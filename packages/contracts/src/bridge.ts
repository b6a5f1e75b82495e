import { z } from 'zod';

export const BridgeChannel = z.enum([
  'agent:connect',
  'agent:send',
  'agent:stop',
  'agent:permission-response',
  'agent:get-capabilities',
  'agent:set-model',
  'agent:new-session',
  'agent:load-session',
  'agent:resume-session',
  'agent:set-active-session',
  'agent:disconnect',
]);
export type BridgeChannel = z.infer<typeof BridgeChannel>;

/** A call of a host that speaks in channels, over the same socket. */
export const BridgeInvoke = z.object({
  type: z.literal('invoke'),
  id: z.union([z.string(), z.number()]),
  channel: z.string().min(1),
  args: z.array(z.unknown()),
});
export type BridgeInvoke = z.infer<typeof BridgeInvoke>;

export const BridgeResult = z.looseObject({
  type: z.literal('result'),
  id: z.union([z.string(), z.number()]),
  success: z.boolean(),
  error: z.string().optional(),
});
export type BridgeResult = z.infer<typeof BridgeResult>;

export const BridgeConnection = z.object({
  type: z.enum(['acp', 'claude-sdk']),
  payload: z.looseObject({
    agentId: z.string().optional(),
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    apiKey: z.string().optional(),
    model: z.string().optional(),
    options: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type BridgeConnection = z.infer<typeof BridgeConnection>;

/** What an agent said, in the words of a channel host; pieces of one message share `msg_id`. */
export const BridgeMessage = z.looseObject({
  type: z.enum([
    'system',
    'agent_text',
    'agent_thought',
    'tool_call',
    'tool_call_update',
    'permission_request',
    'agent_info',
  ]),
  msg_id: z.string().optional(),
});
export type BridgeMessage = z.infer<typeof BridgeMessage>;

export const BridgeEvent = z.object({
  type: z.literal('event'),
  channel: z.literal('agent:message'),
  taskId: z.string(),
  message: BridgeMessage,
});
export type BridgeEvent = z.infer<typeof BridgeEvent>;
