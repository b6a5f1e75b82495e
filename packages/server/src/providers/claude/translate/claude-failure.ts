import type { FailureCode } from '@liminal/contracts';
import type { NativeResult } from './native.ts';
import { inTable } from '../../kit/read-json.ts';

export type TurnFailure = { readonly code: FailureCode; readonly message: string };

const loginHint =
  'Choose Sign in on the page, or set ANTHROPIC_API_KEY and restart Liminal Builder. The demo agent works without an account.';

/** Claude Code's own codes for a failed call, as set on messages and retries. */
const codes: Readonly<Record<string, FailureCode>> = {
  authentication_failed: 'AGENT_AUTH_REQUIRED',
  authentication_error: 'AGENT_AUTH_REQUIRED',
  permission_error: 'AGENT_AUTH_REQUIRED',
  oauth_org_not_allowed: 'AGENT_AUTH_REQUIRED',
  account_on_hold: 'AGENT_AUTH_REQUIRED',
  verification_required: 'AGENT_AUTH_REQUIRED',
  cloud_credential_error: 'AGENT_AUTH_REQUIRED',
  rate_limit: 'RATE_LIMITED',
  rate_limit_error: 'RATE_LIMITED',
};

/** Why a turn failed, from its result and from the error code on its last message. */
export function failureOfResult(result: NativeResult, stamped: string | undefined): TurnFailure {
  const texts = [result.text, ...result.errors.filter((error) => !error.startsWith('[ede_diagnostic]'))].filter(
    Boolean,
  );
  const said = texts.join('\n') || describeStop(result);
  if (/no conversation found/i.test(said)) {
    return {
      code: 'SESSION_CREATE_FAILED',
      message: `${said}. Its record is missing or belongs to another folder. Start a new session, or load one from the list.`,
    };
  }
  const code = codeOf(result, stamped, said);
  return { code, message: code === 'AGENT_AUTH_REQUIRED' ? `${said}. ${loginHint}` : said };
}

function codeOf(result: NativeResult, stamped: string | undefined, said: string): FailureCode {
  const byName = inTable(codes, stamped ?? '') ?? inTable(codes, result.apiError ?? '');
  if (byName) return byName;
  if (result.apiStatus === 401 || result.apiStatus === 403) return 'AGENT_AUTH_REQUIRED';
  if (result.apiStatus === 429) return 'RATE_LIMITED';
  if (/please run \/login|not logged in|invalid api key/i.test(said)) return 'AGENT_AUTH_REQUIRED';
  if (/usage limit|hit your .*limit|rate limit/i.test(said)) return 'RATE_LIMITED';
  return 'MODEL_ERROR';
}

function describeStop(result: NativeResult): string {
  switch (result.subtype) {
    case 'error_max_turns':
      return 'Claude Code stopped: it reached the limit of steps per turn.';
    case 'error_max_budget_usd':
      return 'Claude Code stopped: the budget of this session is used up.';
    default:
      return `Claude Code stopped before it finished (${result.terminalReason || result.subtype || 'no reason given'}).`;
  }
}
