import { z } from 'zod';
import { SessionOptions } from './provider.ts';

export const EnvironmentName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Environment variable names can have letters, digits and underscores');

const KeptDays = z
  .int('Enter a whole number of days')
  .min(0, 'Enter 0 or more days')
  .max(36_500, 'Enter 36,500 days or fewer');

/** For how many days something is kept; 0 keeps it forever. */
export const Retention = z.object({
  /** Whole outputs of tool calls. What a history shows of them stays. */
  outputDays: KeptDays,
  /** The record of permission decisions. */
  decisionDays: KeptDays,
});
export type Retention = z.infer<typeof Retention>;

export const usualRetention: Retention = { outputDays: 90, decisionDays: 365 };

/** How much is kept of what folders looked like around turns. */
export const CheckpointLimits = z.object({
  /** 0 keeps them forever. */
  days: KeptDays.default(30),
  /** In each repository, counted before compression; the oldest go first. */
  megabytes: z.int().min(1, 'Enter 1 MB or more').max(1_000_000).default(2_048),
  /** A folder without git is recorded in a repository of ours if it is no larger than this; 0 records none. */
  folderMegabytes: z.int().min(0).max(1_000_000).default(500),
});
export type CheckpointLimits = z.infer<typeof CheckpointLimits>;
export const usualCheckpointLimits: CheckpointLimits = CheckpointLimits.parse({});

/** What the checkpoints of one repository take, as counted when they were made. */
export const CheckpointsReply = z.object({
  repositories: z.array(
    z.object({ folder: z.string(), checkpoints: z.int().nonnegative(), bytes: z.number().nonnegative() }),
  ),
});
export type CheckpointsReply = z.infer<typeof CheckpointsReply>;

/** What is left out stays as it is. */
export const PreferencesBody = z.object({
  agentEnv: z.array(EnvironmentName).max(200).optional(),
  retention: Retention.optional(),
  checkpoints: CheckpointLimits.optional(),
});
export type PreferencesBody = z.infer<typeof PreferencesBody>;

/** What a user set for the whole server. */
export const Preferences = z.object({
  /** Further variables of the server's environment that agents get, by name. */
  agentEnv: z.array(z.string()),
  /** Names that LIMINAL_AGENT_ENV gave when the server started; they hold beside `agentEnv` and are changed there. */
  startedWith: z.array(z.string()),
  retention: Retention,
  checkpoints: CheckpointLimits,
});
export type Preferences = z.infer<typeof Preferences>;

/** What was last chosen; new sessions start with it unless set otherwise. */
export const RememberedChoices = SessionOptions.pick({ modelId: true, modeId: true, effort: true });
export type RememberedChoices = z.infer<typeof RememberedChoices>;

/** By agent, in one project. */
export const ProjectChoices = z.object({ choices: z.record(z.string(), RememberedChoices) });
export type ProjectChoices = z.infer<typeof ProjectChoices>;
