import { z } from 'zod';

/** `claude-code`, `codex`, `demo` or the id of any configured ACP agent. */
export const CliType = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]*$/i, 'Agent ids can have letters, digits, dots, dashes and underscores');
export type CliType = z.infer<typeof CliType>;

/** What a provider can do, as data, so nothing above it has to guess. */
export const ProviderCapabilities = z.object({
  load: z.boolean(),
  discover: z.boolean(),
  images: z.boolean(),
  steer: z.boolean(),
  fork: z.boolean(),
  /** A fork may end at any turn, not only the last. */
  forkAtTurn: z.boolean().optional(),
  /** A turn and all later ones can be removed from the conversation. */
  revert: z.boolean().optional(),
  models: z.boolean(),
  modes: z.boolean(),
  efforts: z.boolean(),
  permissions: z.boolean(),
  /** A refusal can include a note to the agent; otherwise, and with other answers, it is sent as the next message. */
  feedback: z.boolean().optional(),
  /** A session that is started and never used leaves no trace, so it may start while the user is still choosing. */
  prepare: z.boolean().optional(),
  /** It can ignore a repository's own configuration, so it may start in a folder that isn't trusted yet. */
  untrustedFolders: z.boolean(),
});
export type ProviderCapabilities = z.infer<typeof ProviderCapabilities>;

export const ProviderSummary = z.object({
  cliType: CliType,
  name: z.string(),
  available: z.boolean(),
  /** Why it cannot start here, and what to do. */
  reason: z.string().optional(),
  /** The version of its program, if known without starting it. */
  version: z.string().optional(),
  /** The user can sign in to it in a terminal on the page. */
  signIn: z.boolean().optional(),
  /** It isn't installed, and this server can install it. */
  install: z.boolean().optional(),
  capabilities: ProviderCapabilities,
});
export type ProviderSummary = z.infer<typeof ProviderSummary>;

/**
 * Progress of an installation, in megabytes; `of` is the approximate total. `message` says what to do after a failure.
 */
export const InstallStep = z.object({
  state: z.enum(['installing', 'installed', 'failed']),
  megabytes: z.int().nonnegative(),
  of: z.int().positive(),
  message: z.string().optional(),
});
export type InstallStep = z.infer<typeof InstallStep>;

export const ProviderSession = z.object({ sessionId: z.string().min(1), cliType: CliType });
export type ProviderSession = z.infer<typeof ProviderSession>;

export const Image = z.object({
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Base64. */
  data: z.string().min(1),
  name: z.string().optional(),
});
export type Image = z.infer<typeof Image>;

export const SendOptions = z.object({
  /** The turn id the session service already assigned; without one, the provider creates its own. */
  turnId: z.string().min(1).optional(),
  images: z.array(Image).optional(),
});
export type SendOptions = z.infer<typeof SendOptions>;

export const SessionOptions = z.object({
  modelId: z.string().min(1).optional(),
  modeId: z.string().min(1).optional(),
  effort: z.string().min(1).optional(),
  maxThinkingTokens: z.int().positive().optional(),
});
export type SessionOptions = z.infer<typeof SessionOptions>;

export const DiscoveredSession = z.object({
  sessionId: z.string().min(1),
  cliType: CliType,
  title: z.string(),
  updatedAt: z.iso.datetime(),
  size: z.int().nonnegative(),
});
export type DiscoveredSession = z.infer<typeof DiscoveredSession>;
