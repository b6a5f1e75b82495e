import type { FailureReply, HistoryPage, QueuedMessage, SendReply, SessionStatus } from '@liminal/contracts';
import type { Loose } from '../../testing/test-server.ts';

export type Address = { readonly port: number; readonly token: string };
export type Reply<Body = Loose> = { readonly status: number; readonly body: Body };

export type Api = {
  /** A test that uses the result declares its type. One that only compares it needs none. */
  call<Body = Loose>(method: string, path: string, body?: unknown): Promise<Reply<Body>>;
  newSession(cliType: string, projectDir: string): Promise<string>;
  send(sessionId: string, content: string, clientMessageId?: string): Promise<Reply<SendReply & FailureReply>>;
  status(sessionId: string): Promise<SessionStatus>;
  queue(sessionId: string): Promise<QueuedMessage[]>;
  /** The whole history, page by page, oldest first. */
  history(sessionId: string): Promise<HistoryPage>;
};

/** Calls a running server like any API client. */
export function createApi({ port, token }: Address): Api {
  const call = async <Body = Loose>(method: string, path: string, body?: unknown): Promise<Reply<Body>> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: (text === '' ? null : JSON.parse(text)) as Body };
  };
  const must = async <Body>(expected: number, reply: Promise<Reply<Body>>): Promise<Body> => {
    const { status, body } = await reply;
    if (status !== expected) throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    call,
    newSession: async (cliType, projectDir) =>
      (await must(201, call<{ sessionId: string }>('POST', '/api/session/create', { cliType, projectDir }))).sessionId,
    send: (sessionId, content, clientMessageId) =>
      call('POST', `/api/session/${sessionId}/send`, {
        content,
        ...(clientMessageId === undefined ? {} : { clientMessageId }),
      }),
    status: (sessionId) => must(200, call<SessionStatus>('GET', `/api/session/${sessionId}/status`)),
    queue: async (sessionId) =>
      (await must(200, call<{ queue: QueuedMessage[] }>('GET', `/api/session/${sessionId}/queue`))).queue,
    async history(sessionId) {
      const whole: HistoryPage = { entries: [], turns: [], nextBefore: null };
      for (let before: string | null = ''; before !== null;) {
        const query: string = before === '' ? '' : `?before=${encodeURIComponent(before)}`;
        const page = await must(200, call<HistoryPage>('GET', `/api/session/${sessionId}/history${query}`));
        whole.entries.unshift(...page.entries);
        whole.turns.unshift(...page.turns);
        before = page.nextBefore;
      }
      return whole;
    },
  };
}
