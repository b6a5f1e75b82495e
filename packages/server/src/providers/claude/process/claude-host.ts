import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import { agentEnvironment } from '../../../processes/agent-environment.ts';
import { ProviderError, errorText } from '../../provider-error.ts';
import type { ClaudeDeps } from './claude-deps.ts';
import type { ClaudeAsks, HostOptions } from './claude-sdk.ts';
import { spawnForSdk } from './sdk-process.ts';
import { delimiter, join } from 'node:path';
import { programFolder } from '../../../program/program-files.ts';

/** The options of one process, and the process once it runs. */
export type ClaudeHost = {
  readonly options: HostOptions;
  /** Rejects if the program can't be started. */
  readonly agent: Promise<AgentProcess>;
  /** Ends the process, even one that starts later. */
  stop(): Promise<void>;
};

export type HostChoices = { readonly trusted: boolean; readonly mayBypass: boolean; readonly asks: ClaudeAsks };

/** The user's own Claude Code, if they named one. */
export const ownExecutable = (env: ClaudeDeps['env']): string | undefined => env['LIMINAL_CLAUDE_PATH'] || undefined;

export function createClaudeHost(deps: ClaudeDeps, choices: HostChoices): ClaudeHost {
  const { promise: agent, resolve } = Promise.withResolvers<AgentProcess>();
  // Whoever awaits `agent` gets the failure; it must not also count as unhandled.
  agent.catch(() => {});
  let spawned: Promise<AgentProcess> | undefined;
  let isStopped = false;
  const env = agentEnvironment(deps.env, { family: 'claude' });
  return {
    agent,
    async stop() {
      isStopped = true;
      await (await spawned?.catch(() => undefined))?.kill();
    },
    options: {
      ...choices,
      env: {
        ...env,
        ...(choices.trusted ? {} : untrustedGit(env)),
        CLAUDE_AGENT_SDK_CLIENT_APP: 'liminal-builder',
      },
      executable: ownExecutable(deps.env),
      spawn({ command, args, cwd, env }) {
        const { sdk, started } = spawnForSdk(deps.spawner, {
          command,
          args,
          agent: 'claude-code',
          cwd: cwd ?? process.cwd(),
          env: Object.fromEntries(
            Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
          ),
        });
        spawned = started;
        resolve(started);
        if (isStopped) sdk.kill('SIGTERM');
        return sdk;
      },
    },
  };
}

/** Why a program couldn't be started, and what to do. */
export function startFailure(error: unknown, env: ClaudeDeps['env']): ProviderError {
  const own = ownExecutable(env);
  const detail = errorText(error);
  return new ProviderError(
    'AGENT_NOT_INSTALLED',
    own === undefined
      ? `Couldn't start Claude Code (${detail}). Run npm install, or set LIMINAL_CLAUDE_PATH to your own Claude Code.`
      : `${own} could not be started (${detail}). Set LIMINAL_CLAUDE_PATH to a working Claude Code, or unset it to use the bundled one.`,
    error,
  );
}

/** The folder with a `git` that Claude Code finds before the real one, in an untrusted folder (decision 30). */
const shims = join(programFolder, 'packages', 'server', 'shims');

/**
 * For Claude Code in an untrusted folder. Its own git commands are refused: git would follow the repository's
 * configuration to files anywhere. A git command the user allowed runs, but starts no monitor or hook of the
 * repository. (Filters can't be disabled in advance, so the user is asked.)
 */
function untrustedGit(env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: [shims, env['PATH'] ?? ''].filter(Boolean).join(delimiter),
    GIT_CONFIG_COUNT: '3',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_CONFIG_KEY_1: 'core.hooksPath',
    GIT_CONFIG_VALUE_1: '/dev/null',
    GIT_CONFIG_KEY_2: 'log.showSignature',
    GIT_CONFIG_VALUE_2: 'false',
  };
}
