import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import { asRecord, type Loose } from '../../kit/read-json.ts';
import { errorText, ProviderError } from '../../provider-error.ts';
import type { AcpConnection, AcpHandlers } from './acp-connection.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import { availabilityOf, findAgent } from '../catalogue/find-agent.ts';
import { clientCapabilities, environmentOf } from '../client-services/client-services.ts';
import { describeExit } from './describe-exit.ts';
import { AgentRefused } from './failures.ts';
import { within } from '../../kit/within.ts';

export type OpenAgent = {
  readonly agent: AgentProcess;
  readonly connection: AcpConnection;
  /** The answer to `initialize`. */
  readonly initialized: Loose;
  /**
   * Sends a request and waits at most `ms`. If the process ends, rejects with its last output; on a refusal, with
   * `AgentRefused`.
   */
  ask(method: string, params: unknown, ms: number, tooLate: string): Promise<Loose>;
};

export type AgentStart = {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  readonly cwd: string;
  /** Stops the process while it is being opened. */
  readonly signal?: AbortSignal | undefined;
};

/** Starts an agent in a folder and initializes it. A failure leaves no process. */
export async function openAgent({ spec, deps, cwd, signal }: AgentStart, handlers: AcpHandlers): Promise<OpenAgent> {
  signal?.throwIfAborted();
  // Loaded with the first agent: a server without any doesn't need the protocol's library.
  const [agent, { openAcpConnection, protocolVersion }] = await Promise.all([
    start(spec, deps, cwd),
    import('./acp-connection.ts'),
  ]);
  const stop = () => void agent.kill();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  handlers.started?.(agent);
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const connection = openAcpConnection(
    agent,
    {
      ...handlers,
      closed(end) {
        ended.reject(new ProviderError('SESSION_CREATE_FAILED', describeExit(spec.name, agent, connection, end)));
        handlers.closed(end);
      },
    },
    deps.log,
  );
  const ask: OpenAgent['ask'] = async (method, params, ms, tooLate) => {
    // A closed connection also rejects the answer, but the process's exit has the better message.
    const answer = connection
      .request(method, params)
      .answer.catch((error: unknown) => (error instanceof AgentRefused ? Promise.reject(error) : ended.promise));
    return asRecord(await within(answer, ms, tooLate));
  };
  try {
    const hello = {
      protocolVersion,
      clientInfo: { name: 'liminal-builder', title: 'Liminal Builder', version: deps.clientVersion },
      clientCapabilities: clientCapabilities(spec),
    };
    const { initializeMs } = deps.limits;
    const tooLate = `${spec.name} didn't respond within ${initializeMs / 1000} s of starting, so it was stopped.`;
    const initialized = await ask('initialize', hello, initializeMs, tooLate);
    checkVersion(spec, initialized['protocolVersion'], protocolVersion);
    return { agent, connection, initialized, ask };
  } catch (error) {
    await agent.kill();
    if (error instanceof ProviderError) throw error;
    throw new ProviderError('PROTOCOL_ERROR', `${spec.name} rejected the connection: ${errorText(error)}`, error);
  }
}

async function start(spec: AgentSpec, deps: AgentDeps, cwd: string): Promise<AgentProcess> {
  const path = deps.env['PATH'] ?? '';
  const available = await availabilityOf(spec, path);
  if (!available.available) throw new ProviderError('AGENT_NOT_INSTALLED', available.reason);
  const { command, args } = (await findAgent(spec, path)) ?? spec;
  try {
    return await deps.spawner.spawn({ command, args, agent: spec.id, cwd, env: environmentOf(spec, deps) });
  } catch (error) {
    const hint = spec.installHint ?? 'Install it, or correct its command.';
    const message = `${spec.name} can't be started (${command}: ${errorText(error)}). ${hint}`;
    throw new ProviderError('AGENT_NOT_INSTALLED', message, error);
  }
}

function checkVersion(spec: AgentSpec, spoken: unknown, ours: number): void {
  if (spoken === ours) return;
  const message = `${spec.name} speaks version ${JSON.stringify(spoken)} of the agent protocol, but Liminal Builder uses version ${ours}. Update one of them.`;
  throw new ProviderError('PROTOCOL_ERROR', message);
}
