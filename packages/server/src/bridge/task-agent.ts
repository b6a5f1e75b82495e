import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { BridgeConnection, BridgeConnectOptions, SessionOptions } from '@liminal/contracts';
import { ProviderError } from '../providers/provider-error.ts';
import type { CliProvider } from '../providers/provider.ts';
import type { PrivateAgents } from './private-agents.ts';

/** Creates agents that only a channel host knows of. A missing function means this server doesn't support that kind. */
export type AgentMaker = {
  fromCommand?(agent: OwnCommand): CliProvider;
  /** Claude Code with an API key that is kept only in memory. */
  claudeWithKey?(cliType: string, apiKey: string): CliProvider;
};

export type OwnCommand = {
  readonly cliType: string;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

export type TaskAgent = {
  readonly provider: CliProvider;
  /** Created for this task alone, and removed with it. */
  readonly isPrivate: boolean;
  readonly cwd: string;
  readonly options: SessionOptions;
};

export type TaskAgentDeps = {
  readonly agents: PrivateAgents;
  readonly maker: AgentMaker;
  readonly newId: () => string;
};

const claude = 'claude-code';

/** The agent a task asks for. Throws a `ProviderError` if there is none. */
export function taskAgent(
  connection: BridgeConnection,
  given: BridgeConnectOptions,
  { agents, maker, newId }: TaskAgentDeps,
): TaskAgent {
  const wanted = connection.type === 'acp' ? acpAgent(connection.payload) : claudeAgent(connection.payload);
  const cwd = wanted.cwd ?? given.cwd;
  if (cwd === undefined)
    throw new ProviderError('PROJECT_DIR_INVALID', 'Set cwd to the folder the agent should work in.');
  const place = { cwd, options: wanted.options };
  if (wanted.known !== undefined)
    return { ...place, provider: agents.registry.resolve(wanted.known), isPrivate: false };
  const suffix = newId().slice(0, 8);
  const provider =
    wanted.apiKey !== undefined
      ? maker.claudeWithKey?.(`${claude}.bridge-${suffix}`, wanted.apiKey)
      : maker.fromCommand?.({ ...wanted.own, cliType: `bridge-${wordOf(wanted.own.name)}-${suffix}` });
  if (!provider) throw new ProviderError('NOT_SUPPORTED', "This server doesn't start agents that hosts define.");
  agents.add(provider);
  return { ...place, provider, isPrivate: true };
}

/** Identifies a connection without storing it, because it may contain keys. */
export const connectionKey = (connection: BridgeConnection, cwd: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([sorted(connection), cwd]))
    .digest('hex');

type Wanted = { readonly cwd: string | undefined; readonly options: SessionOptions } & (
  | { readonly known: string; readonly apiKey?: undefined }
  | { readonly known?: undefined; readonly apiKey: string }
  | { readonly known?: undefined; readonly apiKey?: undefined; readonly own: Omit<OwnCommand, 'cliType'> }
);

function acpAgent(payload: Extract<BridgeConnection, { type: 'acp' }>['payload']): Wanted {
  if (typeof payload === 'string') return { known: payload, cwd: undefined, options: {} };
  const { cwd, options = {} } = payload;
  if (!('command' in payload) || typeof payload.command !== 'string') {
    return { known: String(payload['agentId']), cwd, options };
  }
  const {
    command,
    args = [],
    env = {},
  } = payload as { command: string; args?: string[]; env?: Record<string, string> };
  return { own: { name: basename(command), command, args, env }, cwd, options };
}

function claudeAgent({
  apiKey,
  model,
  cwd,
  options = {},
}: Extract<BridgeConnection, { type: 'claude-sdk' }>['payload']): Wanted {
  const chosen = { ...(model === undefined ? {} : { modelId: model }), ...options };
  return apiKey === undefined ? { known: claude, cwd, options: chosen } : { apiKey, cwd, options: chosen };
}

const wordOf = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'agent';

/** Sorts keys, so objects that differ only in key order compare equal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
