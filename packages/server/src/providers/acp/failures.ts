import type { FailureCode } from '@liminal/contracts';
import { ProviderError } from '../provider-error.ts';
import { asRecord, asRecords, asWord } from './loose.ts';

/** An error the agent answered with, in the terms of JSON-RPC. */
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

const authRequired = -32000;
const notFound = -32002;
/** codex-acp: its app-server died and is started again with the next request. */
const appServerDied = 1001;

/** Why a turn failed, from the words an agent or its model used. */
export function modelFailure(words: string): TurnFailure {
  const message = plainWords(words) || 'The model failed without saying why. Try again.';
  const isRate = /\b429\b|rate.?limit|too many requests/i.test(message);
  return { code: isRate ? 'RATE_LIMITED' : 'MODEL_ERROR', message };
}

/** Why a turn failed, from the error its prompt was answered with. */
export function promptFailure(error: AgentRefused, agentName: string, authMethods: unknown): TurnFailure {
  const words = refusalWords(error);
  if (error.code === authRequired) return { code: 'AGENT_AUTH_REQUIRED', message: authWords(agentName, authMethods) };
  if (error.code === appServerDied) return { code: 'PROCESS_CRASH', message: words };
  if (error.code === notFound)
    return { code: 'PROTOCOL_ERROR', message: `${agentName} no longer knows this session: ${words}` };
  return modelFailure(words);
}

const unknownSession = /no rollout found|not found|invalid session|unknown session|no such session|does not exist/i;

/** Why a session could not be opened. */
export function openFailure(
  error: unknown,
  agentName: string,
  authMethods: unknown,
  sessionId?: string,
): ProviderError {
  if (error instanceof ProviderError) return error;
  if (!(error instanceof AgentRefused)) {
    return new ProviderError(
      'SESSION_CREATE_FAILED',
      `${agentName} could not open the session: ${wordsOf(error)}`,
      error,
    );
  }
  const words = refusalWords(error);
  if (error.code === authRequired)
    return new ProviderError('AGENT_AUTH_REQUIRED', authWords(agentName, authMethods), error);
  if (asRecord(error.data)['reason'] === 'thread_active_writer') {
    const message = `${agentName} has this session open in another process. Close it there, then open it here again.`;
    return new ProviderError('SESSION_CREATE_FAILED', message, error);
  }
  if (sessionId !== undefined && (error.code === notFound || unknownSession.test(words))) {
    return new ProviderError('SESSION_NOT_FOUND', `${agentName} has no session "${sessionId}".`, error);
  }
  return new ProviderError('SESSION_CREATE_FAILED', `${agentName} could not open the session: ${words}`, error);
}

/** What a person can do to be let in, from the agent's own list. */
export function authWords(agentName: string, authMethods: unknown): string {
  const ways = asRecords(authMethods).flatMap((method) => {
    const name = asWord(method['name']);
    const description = asWord(method['description']);
    return name === undefined ? [] : [description === undefined ? name : `${name} (${description})`];
  });
  const how = ways.length > 0 ? ` It offers: ${ways.join('; ')}.` : '';
  return `${agentName} needs you to log in. Log in with its own command in a terminal or set its key, then try again.${how}`;
}

function refusalWords(error: AgentRefused): string {
  const details = asWord(asRecord(error.data)['details']);
  const message = error.message.replace(/^Internal error(: |$)/, '');
  const parts = [plainWords(message), details === undefined ? '' : plainWords(details)].filter((part) => part !== '');
  return parts.join(': ') || error.message;
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// oxlint-disable-next-line no-control-regex -- control sequences are what it removes
const controlSequences = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Words for a person: without colours, and the message of an error that was passed on as JSON. */
export function plainWords(text: string): string {
  const plain = text.replace(controlSequences, '').trim();
  if (!plain.startsWith('{')) return plain;
  try {
    const parsed = asRecord(JSON.parse(plain));
    return asWord(asRecord(parsed['error'])['message']) ?? asWord(parsed['message']) ?? plain;
  } catch {
    return plain;
  }
}
