import type { FailureDetails } from '@liminal/contracts';

/** What went wrong, with the server's own message if it answered. Otherwise `UNREACHABLE`. */
export type ApiFailure = { readonly code: string; readonly message: string; readonly details?: FailureDetails };
export type ApiResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ApiFailure };

/** `fetch` for paths of one server, with its address and sign-in. */
export type ServerFetch = (path: string, init?: ServerInit) => Promise<Response>;
type ServerInit = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };

/** Messages for the user if the server sends none. */
export type CallSentences = { readonly unreachable: string; readonly unreadable: string; readonly redirected: string };

export const programSentences: CallSentences = {
  unreachable: "The server isn't responding. Check that it is running and that the address is right.",
  unreadable: "This program doesn't understand the server's answer. Use the version that came with the server.",
  redirected:
    "The server answered with a redirect, which is never followed. Use the redirect's target address instead.",
};

export type CallDeps = {
  readonly fetch: ServerFetch;
  /** The server rejected the credentials. */
  readonly onUnauthorized?: () => void;
  readonly sentences?: CallSentences;
};

export const refused = (
  code: string,
  message: string,
  details?: FailureDetails,
): { ok: false; failure: ApiFailure } => ({
  ok: false,
  failure: details === undefined ? { code, message } : { code, message, details },
});

/** Sends one request. Returns a successful reply, or a failure with a message. */
export async function exchange(
  { fetch, onUnauthorized, sentences = programSentences }: CallDeps,
  path: string,
  init?: ServerInit,
): Promise<ApiResult<Response>> {
  let reply: Response;
  try {
    reply = await fetch(path, init);
  } catch {
    return refused('UNREACHABLE', sentences.unreachable);
  }
  if (reply.status === 401) onUnauthorized?.();
  if (reply.ok) return { ok: true, value: reply };
  const isRedirect = reply.status >= 300 && reply.status < 400;
  return failureIn(reply.status, isRedirect ? '' : await reply.text().catch(() => ''), sentences);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The failure for a reply that isn't a success. */
export function failureIn(status: number, text: string, { redirected }: CallSentences): ApiResult<never> {
  if (status >= 300 && status < 400) return refused('REDIRECTED', redirected);
  const body = readJson(text);
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const { code, message, details } = error;
  return refused(
    typeof code === 'string' ? code : `HTTP_${status}`,
    typeof message === 'string' ? message : `The server responded with status ${status}.`,
    isObject(details) ? details : undefined,
  );
}

export function readJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
