import { AuditReply, Done, FilesReply, SendReply } from '@liminal/contracts';
import type { ApiResult } from '../connection/api.ts';

type Schema<T> = { safeParse(data: unknown): { success: true; data: T } | { success: false } };
type Call = { readonly method?: 'GET' | 'POST'; readonly body?: unknown; readonly signal?: AbortSignal };

const id = encodeURIComponent;
const session = (sessionId: string): string => `/api/session/${id(sessionId)}`;

async function call<T>(
  path: string,
  schema: Schema<T>,
  { method = 'GET', body, signal }: Call = {},
): Promise<ApiResult<T>> {
  try {
    const reply = await fetch(path, {
      method,
      credentials: 'same-origin',
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const data = (await reply.json().catch(() => ({}))) as { error?: { code: string; message: string } };
    if (!reply.ok) {
      const failure = data.error ?? { code: `HTTP_${reply.status}`, message: `The server answered ${reply.status}.` };
      return { ok: false, failure };
    }
    const parsed = schema.safeParse(data);
    if (parsed.success) return { ok: true, value: parsed.data };
    return { ok: false, failure: { code: 'UNREADABLE', message: 'The server answered something unexpected.' } };
  } catch {
    return { ok: false, failure: { code: 'UNREACHABLE', message: 'The server does not answer.' } };
  }
}

/** Commands and questions about one session beside those of the page's client. */
export const sessionCalls = {
  audit: (sessionId: string) => call(`${session(sessionId)}/audit`, AuditReply),
  /** Sends a message again of which nobody knows whether it arrived. */
  resend: (sessionId: string, turnId: string) =>
    call(`${session(sessionId)}/queue/${id(turnId)}/resend`, SendReply, { method: 'POST' }),
  setMode: (sessionId: string, modeId: string, confirm: boolean) =>
    call(`${session(sessionId)}/mode`, Done.loose(), { method: 'POST', body: { modeId, ...(confirm && { confirm }) } }),
  files: (projectId: string, q: string, signal: AbortSignal) =>
    call(`/api/projects/${id(projectId)}/files?q=${id(q)}&limit=12`, FilesReply, { signal }),
};
