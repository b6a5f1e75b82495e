import type { FailureCode } from '@liminal/contracts';
import { asRecord, asNonEmptyString } from '../../kit/read-json.ts';
import { errorText, ProviderError } from '../../provider-error.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import { loginSteps } from './login-steps.ts';

/** A JSON-RPC error the agent answered with. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type TurnFailure = { readonly code: FailureCode; readonly message: string };

/** The agent a failure is about. */
type FailedAgent = Pick<AgentSpec, 'name'> & Partial<Pick<AgentSpec, 'login' | 'command' | 'args'>>;

const authRequired = -32000;
const notFound = -32002;
/** codex-acp: its app-server died and restarts with the next request. */
const appServerDied = 1001;

export const isAuthRequired = (error: unknown): boolean => error instanceof AgentRefused && error.code === authRequired;

/** A second start may succeed where the first failed: two Codex starting in a fresh home conflict. */
export const isWorthAnotherStart = (error: unknown): boolean =>
  error instanceof AgentRefused && error.code === appServerDied && asRecord(error.data)['restartable'] !== false;

/** Why a turn failed, from the text of an agent or its model. */
export function modelFailure(text: string): TurnFailure {
  const message = plainText(text) || 'The model failed without a reason. Try again.';
  const isRate = /\b429\b|rate.?limit|too many requests/i.test(message);
  return { code: isRate ? 'RATE_LIMITED' : 'MODEL_ERROR', message };
}

/** Why a turn failed, from the error in answer to its prompt. */
export function promptFailure(error: AgentRefused, agent: FailedAgent, authMethods: unknown): TurnFailure {
  const text = refusalMessage(error);
  if (error.code === authRequired) return { code: 'AGENT_AUTH_REQUIRED', message: loginSteps(agent, authMethods) };
  if (error.code === appServerDied) return { code: 'PROCESS_CRASH', message: text };
  if (error.code === notFound)
    return { code: 'PROTOCOL_ERROR', message: `${agent.name} no longer knows this session: ${text}` };
  return modelFailure(text);
}

const unknownSession = /no rollout found|not found|invalid session|unknown session|no such session|does not exist/i;

/** Why a session couldn't be opened. */
export function openFailure(
  error: unknown,
  agent: FailedAgent,
  authMethods: unknown,
  sessionId?: string,
): ProviderError {
  const agentName = agent.name;
  if (error instanceof ProviderError) return error;
  if (!(error instanceof AgentRefused)) {
    return new ProviderError(
      'SESSION_CREATE_FAILED',
      `${agentName} couldn't open the session: ${errorText(error)}`,
      error,
    );
  }
  const text = refusalMessage(error);
  if (error.code === authRequired)
    return new ProviderError('AGENT_AUTH_REQUIRED', loginSteps(agent, authMethods), error);
  if (asRecord(error.data)['reason'] === 'thread_active_writer') {
    const message = `${agentName} has this session open in another process. Close it there, then reopen it here.`;
    return new ProviderError('SESSION_CREATE_FAILED', message, error);
  }
  if (sessionId !== undefined && (error.code === notFound || unknownSession.test(text))) {
    return new ProviderError('SESSION_NOT_FOUND', `${agentName} has no session "${sessionId}".`, error);
  }
  return new ProviderError('SESSION_CREATE_FAILED', `${agentName} couldn't open the session: ${text}`, error);
}

function refusalMessage(error: AgentRefused): string {
  const details = asNonEmptyString(asRecord(error.data)['details']);
  const message = error.message.replace(/^Internal error(: |$)/, '');
  const parts = [plainText(message), details === undefined ? '' : plainText(details)].filter((part) => part !== '');
  return parts.join(': ') || error.message;
}

// oxlint-disable-next-line no-control-regex -- control sequences are what it removes
const controlSequences = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Text for a user: without colours, and with the message of an error forwarded as JSON. */
export function plainText(text: string): string {
  const plain = text.replace(controlSequences, '').trim();
  if (!plain.startsWith('{')) return plain;
  try {
    const parsed = asRecord(JSON.parse(plain));
    return asNonEmptyString(asRecord(parsed['error'])['message']) ?? asNonEmptyString(parsed['message']) ?? plain;
  } catch {
    return plain;
  }
}
