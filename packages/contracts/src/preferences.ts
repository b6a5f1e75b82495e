import { z } from 'zod';
import { SessionOptions } from './provider.ts';

export const EnvironmentName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'A name of an environment variable has letters, digits and underscores');

export const PreferencesBody = z.object({ agentEnv: z.array(EnvironmentName).max(200) });
export type PreferencesBody = z.infer<typeof PreferencesBody>;

/** What a person set for the whole server. */
export const Preferences = z.object({
  /** Further variables of the server's environment that agents get, by name. */
  agentEnv: z.array(z.string()),
  /** Names that LIMINAL_AGENT_ENV gave when the server started; they hold beside `agentEnv` and are changed there. */
  startedWith: z.array(z.string()),
});
export type Preferences = z.infer<typeof Preferences>;

/** What was last chosen; new sessions start with it unless told otherwise. */
export const RememberedChoices = SessionOptions.pick({ modelId: true, modeId: true, effort: true });
export type RememberedChoices = z.infer<typeof RememberedChoices>;

/** By agent, in one project. */
export const ProjectChoices = z.object({ choices: z.record(z.string(), RememberedChoices) });
export type ProjectChoices = z.infer<typeof ProjectChoices>;
