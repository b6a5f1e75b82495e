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

/** What a session says of itself beside its items: title, what can be chosen, and running use. */
export const SessionInfo = z.object({
  title: z.string().optional(),
  models: z.array(Choice).optional(),
  modelId: z.string().optional(),
  modes: z.array(Choice).optional(),
  modeId: z.string().optional(),
  efforts: z.array(Choice).optional(),
  effort: z.string().optional(),
  commands: z.array(SlashCommand).optional(),
  /** Use of the running turn while it runs, and of the whole session. */
  turnUsage: Usage.optional(),
  sessionUsage: Usage.optional(),
  sessionCostUsd: z.number().nonnegative().optional(),
  context: z.object({ used: z.int().nonnegative(), size: z.int().nonnegative() }).optional(),
  backgroundTasks: z.array(BackgroundTask).optional(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;
