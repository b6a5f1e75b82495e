import type { AgentAccount } from '@liminal/contracts';
import { environmentOf } from '../../acp/client-services/client-services.ts';
import { AgentRefused } from '../../acp/connection/failures.ts';
import { loginSteps } from '../../acp/connection/login-steps.ts';
import { asNonEmptyString, asRecord, isRecord, type Loose, present } from '../../kit/read-json.ts';
import { ProviderError } from '../../provider-error.ts';
import type { CodexDeps } from '../process/codex-program.ts';
import type { OpenCodex } from '../process/open-codex.ts';

/**
 * The account Codex uses here. If it needs an account although its environment has a key, it is asked to use that key;
 * without either, `AGENT_AUTH_REQUIRED` says what to do.
 */
export async function signIn(deps: CodexDeps, { ask }: Pick<OpenCodex, 'ask'>): Promise<AgentAccount> {
  const reported = await ask('account/read', {});
  if (isRecord(reported['account']) || reported['requiresOpenaiAuth'] !== true) return readAccount(reported);
  const apiKey = keyInEnvironment(deps);
  if (apiKey === undefined) throw needsLogin(deps);
  await ask('account/login/start', { type: 'apiKey', apiKey }).catch((error: unknown) => {
    throw error instanceof AgentRefused ? needsLogin(deps, error) : error;
  });
  return { kind: 'key' };
}

/** The key that Codex uses if it has no account. */
export function keyInEnvironment(deps: CodexDeps): string | undefined {
  const env = environmentOf(deps.spec, deps);
  return deps.spec.login?.keys?.map((name) => asNonEmptyString(env[name]?.trim())).find(Boolean);
}

const needsLogin = ({ spec }: CodexDeps, cause?: unknown): ProviderError =>
  new ProviderError('AGENT_AUTH_REQUIRED', loginSteps(spec, []), cause);

function readAccount(reported: Loose): AgentAccount {
  const account = asRecord(reported['account']);
  switch (account['type']) {
    case undefined:
      return { kind: 'none' };
    case 'apiKey':
      return { kind: 'key' };
    case 'chatgpt':
      return {
        kind: 'subscription',
        ...present({ email: asNonEmptyString(account['email']), plan: asNonEmptyString(account['planType']) }),
      };
    default:
      return { kind: 'other' };
  }
}
