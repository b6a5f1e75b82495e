import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import { availabilityOf } from '../../acp/catalogue/find-agent.ts';
import { environmentOf } from '../../acp/client-services/client-services.ts';
import { describeExit } from '../../acp/connection/describe-exit.ts';
import { AgentRefused } from '../../acp/connection/failures.ts';
import { within } from '../../kit/within.ts';
import { asRecord, asText, type Loose } from '../../kit/read-json.ts';
import { errorText, ProviderError } from '../../provider-error.ts';
import { type AppServer, type AppServerHandlers, openAppServer } from './app-server.ts';
import { versionIn } from '../../kit/program-on-path.ts';
import { type CodexDeps, isKnownVersion, versionSentence } from './codex-program.ts';

export type OpenCodex = {
  readonly agent: AgentProcess;
  readonly server: AppServer;
  readonly version: string;
  readonly ask: Ask;
};

/**
 * Sends a request and waits at most `ms`. If the process ends, rejects with its last output; on a refusal, with
 * `AgentRefused`.
 */
export type Ask = (method: string, params: unknown, ms?: number) => Promise<Loose>;

/** This Codex uses a protocol this build was never tested with. */
class UnknownProtocol extends ProviderError {
  constructor(version: string | undefined) {
    super('PROTOCOL_ERROR', versionSentence(version, 'Unset LIMINAL_CODEX to use it through its adapter.'));
  }
}

export type CodexStart = {
  readonly deps: CodexDeps;
  readonly cwd: string;
  /** Stops the process while it is being opened. */
  readonly signal?: AbortSignal | undefined;
};

/** Starts `codex app-server` in a folder and initializes it. A failure leaves no process. */
export async function openCodex({ deps, cwd, signal }: CodexStart, handlers: AppServerHandlers): Promise<OpenCodex> {
  const { spec, limits } = deps;
  signal?.throwIfAborted();
  const agent = await start(deps, cwd);
  const stop = () => void agent.kill();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const server = openAppServer(
    agent,
    {
      ...handlers,
      closed(end) {
        ended.reject(new ProviderError('SESSION_CREATE_FAILED', describeExit(spec.name, agent, server, end)));
        handlers.closed(end);
      },
    },
    deps.log,
  );
  const ask: Ask = async (method, params, ms = limits.openMs) => {
    const tooLate = `${spec.name} didn't respond (${method}) within ${ms / 1000} s.`;
    // A closed connection also rejects the answer, but the process's exit has the better message.
    const answer = server
      .request(method, params)
      .answer.catch((error: unknown) => (error instanceof AgentRefused ? Promise.reject(error) : ended.promise));
    return asRecord(await within(answer, ms, tooLate));
  };
  try {
    const clientInfo = { name: 'liminal-builder', title: 'Liminal Builder', version: deps.clientVersion };
    // Codex counts questions to the user and plan mode as experimental.
    const capabilities = { experimentalApi: true, requestAttestation: false };
    const hello = await ask('initialize', { clientInfo, capabilities }, limits.initializeMs);
    server.notify('initialized');
    const version = versionIn(asText(hello['userAgent']) ?? '');
    if (version === undefined || !isKnownVersion(version)) throw new UnknownProtocol(version);
    return { agent, server, version, ask };
  } catch (error) {
    await agent.kill();
    if (error instanceof ProviderError) throw error;
    const message = `${spec.name} rejected the connection: ${errorText(error)}`;
    throw new ProviderError('PROTOCOL_ERROR', message, error);
  }
}

async function start(deps: CodexDeps, cwd: string): Promise<AgentProcess> {
  const { spec } = deps;
  try {
    return await deps.spawner.spawn({ ...spec.server, agent: spec.id, cwd, env: environmentOf(spec, deps) });
  } catch (error) {
    // Only now: looking for the program first would delay every start.
    const available = await availabilityOf(spec, deps.env['PATH'] ?? '');
    if (!available.available) throw new ProviderError('AGENT_NOT_INSTALLED', available.reason, error);
    const hint = spec.installHint ?? 'Install it, or correct its command.';
    const message = `${spec.name} can't be started (${spec.server.command}: ${errorText(error)}). ${hint}`;
    throw new ProviderError('AGENT_NOT_INSTALLED', message, error);
  }
}
