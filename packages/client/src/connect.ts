import type { PermissionAnswer, SendBody } from '@liminal/contracts';
import type { Timeline } from '@liminal/domain/timeline/timeline';
import { type ApiResult, callRoutes, type RouteCalls, type ServerFetch } from './call-routes.ts';
import { followSession, type FollowDeps, type FollowedSession, type FollowOptions } from './follow-session.ts';
import { nodeSockets } from './node-socket.ts';
import { type Progress, progressOf } from './progress-of.ts';
import { serverAddress } from './server-address.ts';

export type ConnectOptions = {
  /** Where the server is: on this machine, or anywhere over https. */
  readonly url: string;
  readonly token: string;
} & Pick<FollowDeps, 'delay'>;

/** One session of a server. */
export type ClientSession = {
  readonly sessionId: string;
  send(content: string, options?: Omit<SendBody, 'content'>): Promise<ApiResult<{ turnId: string }>>;
  answer(answer: PermissionAnswer): Promise<ApiResult<unknown>>;
  /** Its state now and after every change, for as long as it is asked for. */
  follow(options?: FollowOptions): AsyncGenerator<FollowedSession, void, void>;
  /** Waits until a turn, or the session as a whole, has ended or needs an answer. */
  settled(turnId?: string, options?: FollowOptions): Promise<Settled>;
};
export type Settled = { readonly progress: Progress; readonly timeline: Readonly<Timeline> };

export type Client = RouteCalls & {
  readonly address: URL;
  open(sessionId: string): ClientSession;
};

/** A client of a running server. Nothing is sent until something is called. Throws where the address is refused. */
export function connect({ url, token, delay }: ConnectOptions): Client {
  const checked = serverAddress(url);
  if (!checked.ok) throw new TypeError(checked.failure.message);
  const address = checked.value;
  const authorization = `Bearer ${token}`;
  const fetchFrom: ServerFetch = (path, init = {}) =>
    fetch(new URL(path.slice(1), address), {
      ...init,
      // The token belongs to this address alone.
      redirect: 'manual',
      headers: { ...init.headers, authorization },
    });
  const api = callRoutes({ fetch: fetchFrom });

  const socketAddress = new URL('ws', address);
  socketAddress.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  async function* follow(sessionId: string, options?: FollowOptions): AsyncGenerator<FollowedSession, void, void> {
    const open = await nodeSockets();
    const openSocket = () => open(socketAddress, { authorization });
    yield* followSession({ api, openSocket, ...(delay && { delay }) }, sessionId, options);
  }

  const settled = async (sessionId: string, turnId?: string, options?: FollowOptions): Promise<Settled> => {
    for await (const { timeline } of follow(sessionId, options)) {
      const progress = progressOf(timeline, turnId);
      if (progress.state !== 'working') return { progress, timeline };
    }
    throw options?.signal?.reason ?? new Error('Following ended.');
  };

  return {
    ...api,
    address,
    open: (sessionId) => ({
      sessionId,
      send: (content, options) => api.session.send(sessionId, { content, ...options }),
      answer: (answer) => api.session.answer(sessionId, answer),
      follow: (options) => follow(sessionId, options),
      settled: (turnId, options) => settled(sessionId, turnId, options),
    }),
  };
}
