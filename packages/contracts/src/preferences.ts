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

/** How many days to keep something; 0 keeps it forever. */
export const Retention = z.object({
  /** Full outputs of tool calls. The shortened ones in a history stay. */
  outputDays: KeptDays,
  /** The record of permission decisions. */
  decisionDays: KeptDays,
});
export type Retention = z.infer<typeof Retention>;

/** Data older than these times is removed; null keeps all of it. `outputsBefore` belongs to `outputDays`. */
export type TidyLimits = {
  readonly [Period in keyof Retention as Period extends `${infer Kind}Days` ? `${Kind}sBefore` : never]: string | null;
};

export const usualRetention: Retention = { outputDays: 90, decisionDays: 365 };

/** How many checkpoints of folders are kept. */
export const CheckpointLimits = z.object({
  /** 0 keeps them forever. */
  days: KeptDays.default(30),
  /** Per repository, measured before compression; the oldest are removed first. */
  megabytes: z.int().min(1, 'Enter 1 MB or more').max(1_000_000).default(2_048),
  /** A folder without git is recorded in a repository of our own if it isn't larger than this; 0 turns that off. */
  folderMegabytes: z.int().min(0).max(1_000_000).default(500),
});
export type CheckpointLimits = z.infer<typeof CheckpointLimits>;
export const usualCheckpointLimits: CheckpointLimits = CheckpointLimits.parse({});

/** The size of one repository's checkpoints, measured when they were created. */
export const CheckpointsReply = z.object({
  repositories: z.array(
    z.object({ folder: z.string(), checkpoints: z.int().nonnegative(), bytes: z.number().nonnegative() }),
  ),
});
export type CheckpointsReply = z.infer<typeof CheckpointsReply>;

/** Missing fields stay unchanged. */
export const PreferencesBody = z.object({
  agentEnv: z.array(EnvironmentName).max(200).optional(),
  retention: Retention.optional(),
  checkpoints: CheckpointLimits.optional(),
});
export type PreferencesBody = z.infer<typeof PreferencesBody>;

/** The user's settings for the whole server. */
export const Preferences = z.object({
  /** Names of additional environment variables of the server that agents get. */
  agentEnv: z.array(z.string()),
  /** Names from LIMINAL_AGENT_ENV at server start. They apply in addition to `agentEnv`. */
  startedWith: z.array(z.string()),
  retention: Retention,
  checkpoints: CheckpointLimits,
});
export type Preferences = z.infer<typeof Preferences>;

/** The last choices; new sessions start with them by default. */
export const RememberedChoices = SessionOptions.pick({ modelId: true, modeId: true, effort: true });
export type RememberedChoices = z.infer<typeof RememberedChoices>;

/** Per agent, in one project. */
export const ProjectChoices = z.object({ choices: z.record(z.string(), RememberedChoices) });
export type ProjectChoices = z.infer<typeof ProjectChoices>;
