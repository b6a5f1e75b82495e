import type { PermissionAnswer, SendBody } from '@liminal/contracts';
import { type ApiResult, callRoutes, type RouteCalls } from './call-routes.ts';
import type { FollowedSession, FollowOptions } from './follow-session.ts';
import { readMessage } from './read-message.ts';
import { type ConnectOptions, linkServer, type Settled, untilSettled } from './server-link.ts';

/** One session of a server. */
export type ClientSession = {
  readonly sessionId: string;
  send(content: string, options?: Omit<SendBody, 'content'>): Promise<ApiResult<{ turnId: string }>>;
  answer(answer: PermissionAnswer): Promise<ApiResult<unknown>>;
  /** Its state now and after every change, for as long as the caller iterates. */
  follow(options?: FollowOptions): AsyncGenerator<FollowedSession, void, void>;
  /** Waits until a turn, or the whole session, has ended or needs an answer. */
  settled(turnId?: string, options?: FollowOptions): Promise<Settled>;
};

export type Client = RouteCalls & {
  readonly address: URL;
  open(sessionId: string): ClientSession;
};

/** A client of a running server. Sends nothing until a method is called. Throws if the address isn't allowed. */
export function connect(options: ConnectOptions): Client {
  const { address, fetch, follow: followAt } = linkServer(options);
  const api = callRoutes({ fetch });
  const deps = { api, read: readMessage };
  return {
    ...api,
    address,
    open: (sessionId) => ({
      sessionId,
      send: (content, sending) => api.session.send(sessionId, { content, ...sending }),
      answer: (answer) => api.session.answer(sessionId, answer),
      follow: (following) => followAt(deps, sessionId, following),
      settled: (turnId, following) => untilSettled(followAt(deps, sessionId, following), turnId, following),
    }),
  };
}
