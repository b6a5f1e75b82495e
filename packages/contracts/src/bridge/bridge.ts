import { z } from 'zod';
import { BridgeMessage } from './bridge-message.ts';
import { PermissionAnswer } from '../session/permission.ts';
import { Image, ProviderCapabilities, SessionOptions } from '../provider.ts';
import { SessionInfo } from '../session/session-info.ts';
import { SessionError } from '../session/session.ts';

/** A call from a channel host, over the same socket. */
export const BridgeInvoke = z.object({
  type: z.literal('invoke'),
  id: z.union([z.string(), z.number()]),
  channel: z.string().min(1),
  args: z.array(z.unknown()),
});
export type BridgeInvoke = z.infer<typeof BridgeInvoke>;

/** `error` is `not supported` if the agent can't do it; `code` is a `FailureCode`. */
export const BridgeResult = z.looseObject({
  type: z.literal('result'),
  id: z.union([z.string(), z.number()]),
  success: z.boolean(),
  error: z.string().optional(),
  code: z.string().optional(),
});
export type BridgeResult = z.infer<typeof BridgeResult>;

const environment = z.record(z.string(), z.string());
const cwd = z.string().min(1).optional();

/** The agent a task wants: one this server knows by id, a command to run, or Claude Code. */
export const BridgeConnection = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('acp'),
    payload: z.union([
      z.string().min(1),
      z.looseObject({ agentId: z.string().min(1), cwd, options: SessionOptions.optional() }),
      z.looseObject({
        /** The program alone. Its arguments are in `args`; no shell is involved. */
        command: z.string().min(1),
        args: z.array(z.string()).optional(),
        cwd,
        env: environment.optional(),
        options: SessionOptions.optional(),
      }),
    ]),
  }),
  z.object({
    type: z.literal('claude-sdk'),
    payload: z.looseObject({
      /** Kept in memory while the task is connected; never stored or logged. */
      apiKey: z.string().min(1).optional(),
      model: z.string().min(1).optional(),
      cwd,
      options: SessionOptions.optional(),
    }),
  }),
]);
export type BridgeConnection = z.infer<typeof BridgeConnection>;

export const BridgeConnectOptions = z.object({
  /** If the task is already connected in the same way, keep its session and start nothing. */
  reuseIfSame: z.boolean().optional(),
  /** If false, connect without a session; `agent:new-session` or `agent:load-session` adds one later. */
  createSession: z.boolean().optional(),
  /** The folder to use if the connection names none. */
  cwd,
  /** The host's user understands and wants a mode without permission requests. */
  confirm: z.boolean().optional(),
});
export type BridgeConnectOptions = z.infer<typeof BridgeConnectOptions>;

const taskId = z.string().min(1).max(200);
const sessionId = z.string().min(1);
const answer = z.union([z.string().min(1), PermissionAnswer.omit({ requestId: true })]);

/** The arguments of each channel. */
export const bridgeArguments = {
  'agent:connect': z.tuple([taskId, BridgeConnection, BridgeConnectOptions.nullish()]),
  'agent:send': z
    .tuple([taskId, z.string(), z.array(Image).max(20).nullish()])
    .refine(([, text, images]) => text !== '' || (images?.length ?? 0) > 0, {
      path: [1],
      message: 'Write a message, or attach an image',
    }),
  'agent:stop': z.tuple([taskId]),
  'agent:permission-response': z.tuple([taskId, z.string().min(1), answer]),
  'agent:get-capabilities': z.tuple([taskId]),
  'agent:set-model': z.tuple([taskId, z.string().min(1)]),
  'agent:new-session': z.tuple([taskId, SessionOptions.nullish()]),
  'agent:load-session': z.tuple([taskId, sessionId]),
  'agent:resume-session': z.tuple([taskId, sessionId]),
  'agent:set-active-session': z.tuple([taskId, sessionId]),
  'agent:disconnect': z.tuple([taskId]),
} as const;

export const BridgeChannel = z.enum(Object.keys(bridgeArguments) as [BridgeChannel, ...BridgeChannel[]]);
export type BridgeChannel = keyof typeof bridgeArguments;
export type BridgeArguments<Channel extends BridgeChannel> = z.infer<(typeof bridgeArguments)[Channel]>;

const nothing = z.object({});
const withSession = z.object({ sessionId: z.string() });

/** What each channel returns besides `success: true`. */
export const bridgeReplies = {
  'agent:connect': z.object({ sessionId: z.string().optional() }),
  'agent:send': z.object({ turnId: z.string() }),
  'agent:stop': nothing,
  'agent:permission-response': nothing,
  'agent:get-capabilities': z.object({
    connected: z.boolean(),
    sessionId: z.string().optional(),
    lastError: SessionError.optional(),
    capabilities: ProviderCapabilities,
    info: SessionInfo,
  }),
  'agent:set-model': nothing,
  'agent:new-session': withSession,
  'agent:load-session': withSession,
  'agent:resume-session': withSession,
  'agent:set-active-session': withSession,
  'agent:disconnect': nothing,
} as const satisfies Record<BridgeChannel, z.ZodType>;
export type BridgeReply<Channel extends BridgeChannel> = z.infer<(typeof bridgeReplies)[Channel]>;

export const BridgeEvent = z.object({
  type: z.literal('event'),
  channel: z.literal('agent:message'),
  taskId: z.string(),
  message: BridgeMessage,
});
export type BridgeEvent = z.infer<typeof BridgeEvent>;
