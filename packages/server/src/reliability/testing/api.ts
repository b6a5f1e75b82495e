import type { HistoryPage, QueuedMessage, SessionStatus } from '@liminal/contracts';

export type Address = { readonly port: number; readonly token: string };
// What a route answers is checked by the tests themselves, field by field.
// oxlint-disable-next-line typescript/no-explicit-any
export type Reply = { readonly status: number; readonly body: any };

export type Api = {
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  newSession(cliType: string, projectDir: string): Promise<string>;
  send(sessionId: string, content: string, clientMessageId?: string): Promise<Reply>;
  status(sessionId: string): Promise<SessionStatus>;
  queue(sessionId: string): Promise<QueuedMessage[]>;
  /** The whole history, page by page, oldest first. */
  history(sessionId: string): Promise<HistoryPage>;
};

/** Talks to a running server as any API client would. */
export function createApi({ port, token }: Address): Api {
  const call: Api['call'] = async (method, path, body) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
  };
  const must = async (expected: number, reply: Promise<Reply>) => {
    const { status, body } = await reply;
    if (status !== expected) throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    call,
    newSession: async (cliType, projectDir) =>
      (await must(201, call('POST', '/api/session/create', { cliType, projectDir }))).sessionId as string,
    send: (sessionId, content, clientMessageId) =>
      call('POST', `/api/session/${sessionId}/send`, {
        content,
        ...(clientMessageId === undefined ? {} : { clientMessageId }),
      }),
    status: (sessionId) => must(200, call('GET', `/api/session/${sessionId}/status`)),
    queue: async (sessionId) => (await must(200, call('GET', `/api/session/${sessionId}/queue`))).queue,
    async history(sessionId) {
      const whole: HistoryPage = { entries: [], turns: [], nextBefore: null };
      for (let before: string | null = ''; before !== null;) {
        const query: string = before === '' ? '' : `?before=${encodeURIComponent(before)}`;
        const page: HistoryPage = await must(200, call('GET', `/api/session/${sessionId}/history${query}`));
        whole.entries.unshift(...page.entries);
        whole.turns.unshift(...page.turns);
        before = page.nextBefore;
      }
      return whole;
    },
  };
}
