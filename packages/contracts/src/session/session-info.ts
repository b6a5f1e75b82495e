import { z } from 'zod';
import { Usage } from './turn-event.ts';

export const Choice = z.object({ id: z.string().min(1), name: z.string(), description: z.string().optional() });
export type Choice = z.infer<typeof Choice>;

export const SlashCommand = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  hint: z.string().optional(),
});
export type SlashCommand = z.infer<typeof SlashCommand>;

export const BackgroundTask = z.object({
  taskId: z.string().min(1),
  title: z.string(),
  state: z.enum(['running', 'completed', 'failed', 'stopped']),
  callId: z.string().optional(),
});
export type BackgroundTask = z.infer<typeof BackgroundTask>;

/** How much of an account's rate limit is used, in one time window. */
export const RateLimit = z.object({
  usedPercent: z.number().min(0).max(100),
  windowMinutes: z.int().nonnegative().optional(),
  resetsAt: z.iso.datetime().optional(),
});
export type RateLimit = z.infer<typeof RateLimit>;

/** An MCP server that the agent started for this session, or failed to start. */
export const McpServer = z.object({
  name: z.string().min(1),
  state: z.enum(['starting', 'ready', 'failed', 'stopped']),
  /** Why it failed. */
  message: z.string().optional(),
});
export type McpServer = z.infer<typeof McpServer>;

/** Who pays: an API key, a subscription, or nobody if the agent needs no account. */
export const AgentAccount = z.object({
  kind: z.enum(['none', 'key', 'subscription', 'other']),
  email: z.string().optional(),
  plan: z.string().optional(),
});
export type AgentAccount = z.infer<typeof AgentAccount>;

/** The changes of the agent's own edits in one turn, as far as it has reported them. */
export const TurnPatch = z.object({
  turnId: z.string().min(1),
  files: z.array(z.object({ path: z.string(), additions: z.int().nonnegative(), deletions: z.int().nonnegative() })),
});
export type TurnPatch = z.infer<typeof TurnPatch>;

/** Everything about a session besides its items: title, options, and usage. */
export const SessionInfo = z.object({
  title: z.string().optional(),
  models: z.array(Choice).optional(),
  modelId: z.string().optional(),
  modes: z.array(Choice).optional(),
  modeId: z.string().optional(),
  /** Besides its mode: whether the agent only plans, and changes nothing. */
  isPlanning: z.boolean().optional(),
  efforts: z.array(Choice).optional(),
  effort: z.string().optional(),
  commands: z.array(SlashCommand).optional(),
  /** Usage of the running turn, and of the whole session. */
  turnUsage: Usage.optional(),
  sessionUsage: Usage.optional(),
  sessionCostUsd: z.number().nonnegative().optional(),
  context: z.object({ used: z.int().nonnegative(), size: z.int().nonnegative() }).optional(),
  backgroundTasks: z.array(BackgroundTask).optional(),
  rateLimits: z.array(RateLimit).optional(),
  mcpServers: z.array(McpServer).optional(),
  account: AgentAccount.optional(),
  turnPatch: TurnPatch.optional(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;
