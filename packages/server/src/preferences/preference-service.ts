import {
  fail,
  ok,
  PreferencesBody,
  ProjectChoices,
  type Preferences,
  type RememberedChoices,
  type Result,
} from '@liminal/contracts';
import { isDangerousMode } from '@liminal/domain/modes/is-dangerous-mode';
import { agentEnvironment } from '../processes/agent-environment.ts';
import type { StoreWrite } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { checkpointsKey, storedCheckpointLimits } from './checkpoint-limits.ts';
import { retentionKey, storedRetention } from './retention.ts';

export type PreferenceDeps = {
  readonly store: Pick<Store, 'setting' | 'write'>;
  /** The names in LIMINAL_AGENT_ENV when the server started. */
  readonly startedWith: readonly string[];
};

export type PreferenceService = ReturnType<typeof createPreferenceService>;

const preferencesKey = 'preferences';
const choicesKey = (projectId: string): string => `choices:${projectId}`;

/** The variables that a user lets agents have, as currently stored. */
export function storedAgentEnv(store: Pick<Store, 'setting'>): readonly string[] {
  const stored = PreferencesBody.safeParse(store.setting(preferencesKey));
  return (stored.success ? stored.data.agentEnv : undefined) ?? [];
}

/** The user's choices, global or per agent and project. The last one wins. */
export function createPreferenceService({ store, startedWith }: PreferenceDeps) {
  // Use a recent choice even while it is still being written to disk.
  const byProject = new Map<string, ProjectChoices['choices']>();

  const choicesOf = (projectId: string): ProjectChoices['choices'] => {
    const known = byProject.get(projectId);
    if (known) return known;
    const stored = ProjectChoices.safeParse({ choices: store.setting(choicesKey(projectId)) });
    return stored.success ? stored.data.choices : {};
  };
  const keep = async (projectId: string, cliType: string, choices: RememberedChoices): Promise<void> => {
    const next = { ...choicesOf(projectId), [cliType]: choices };
    byProject.set(projectId, next);
    await store.write([{ type: 'put-setting', key: choicesKey(projectId), value: next }]);
  };

  const get = (): Preferences => ({
    agentEnv: [...storedAgentEnv(store)],
    startedWith: [...startedWith],
    retention: storedRetention(store),
    checkpoints: storedCheckpointLimits(store),
  });

  return {
    get,

    async set({ agentEnv, retention, checkpoints }: PreferencesBody): Promise<Result<Preferences, 'INVALID_REQUEST'>> {
      const refused = agentEnv?.find((name) => !mayPass(name));
      if (refused !== undefined) return fail('INVALID_REQUEST', `${refused} is never passed to an agent.`);
      // One key each, so two concurrent changes don't undo each other.
      const writes: StoreWrite[] = [];
      if (agentEnv) {
        const value = { agentEnv: [...new Set(agentEnv)] };
        writes.push({ type: 'put-setting', key: preferencesKey, value });
      }
      if (retention) writes.push({ type: 'put-setting', key: retentionKey, value: retention });
      if (checkpoints) writes.push({ type: 'put-setting', key: checkpointsKey, value: checkpoints });
      await store.write(writes);
      return ok(get());
    },

    choicesOf,

    /** A mode without permission requests applies to one session only. It never becomes the default of the next. */
    async remember(projectId: string, cliType: string, chosen: RememberedChoices): Promise<void> {
      const { modelId, modeId, effort } = chosen;
      const lasting = {
        ...(modelId === undefined ? {} : { modelId }),
        ...(modeId === undefined || isDangerousMode({ id: modeId }) ? {} : { modeId }),
        ...(effort === undefined ? {} : { effort }),
      };
      if (Object.keys(lasting).length > 0)
        await keep(projectId, cliType, { ...choicesOf(projectId)[cliType], ...lasting });
    },

    /** Drops choices the agent no longer knows. */
    forget: (projectId: string, cliType: string): Promise<void> => keep(projectId, cliType, {}),
  };
}

/** Whether agents may get this variable. Asks the function that filters, so there is only one list. */
function mayPass(name: string): boolean {
  return name in agentEnvironment({ [name]: 'x', LIMINAL_AGENT_ENV: name }, { family: 'none' });
}

type Environment = Readonly<Record<string, string | undefined>>;

const variable = 'LIMINAL_AGENT_ENV';

export const namesIn = (env: Environment): string[] =>
  (env[variable] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The server's environment for agents, plus the names a user added in the page, read again at every start. */
export function editableEnvironment(env: Environment, added: () => readonly string[]): NodeJS.ProcessEnv {
  const given = namesIn(env);
  return Object.defineProperty({ ...env }, variable, {
    enumerable: true,
    get: () => [...new Set([...given, ...added()])].join(','),
  });
}
