import type { Timeline } from '@liminal/domain/timeline/timeline';
import type { ServerFetch } from './exchange.ts';
import { followSession, type FollowDeps, type FollowedSession, type FollowOptions } from './follow-session.ts';
import { nodeSockets } from './node-socket.ts';
import { type Progress, progressOf } from './progress-of.ts';
import { serverAddress } from './server-address.ts';

export type ConnectOptions = {
  /** The address of the server: on this machine, or anywhere over https. */
  readonly url: string;
  readonly token: string;
} & Pick<FollowDeps, 'delay'>;

export type Settled = { readonly progress: Progress; readonly timeline: Readonly<Timeline> };

/** The connection to one server, for requests and for following. Throws if the address isn't allowed. */
export function linkServer({ url, token, delay }: ConnectOptions) {
  const checked = serverAddress(url);
  if (!checked.ok) throw new TypeError(checked.failure.message);
  const address = checked.value;
  const authorization = `Bearer ${token}`;
  const fetchFrom: ServerFetch = (path, init = {}) =>
    fetch(new URL(path.slice(1), address), {
      ...init,
      // The token must go only to this address.
      redirect: 'manual',
      headers: { ...init.headers, authorization },
    });

  const socketAddress = new URL('ws', address);
  socketAddress.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  async function* follow(
    deps: Pick<FollowDeps, 'api' | 'read'>,
    sessionId: string,
    options?: FollowOptions,
  ): AsyncGenerator<FollowedSession, void, void> {
    const open = await nodeSockets();
    const openSocket = () => open(socketAddress, { authorization });
    yield* followSession({ ...deps, openSocket, ...(delay && { delay }) }, sessionId, options);
  }

  return { address, authorization, fetch: fetchFrom, follow };
}

/** Waits until a turn, or the whole session, has ended or needs an answer. */
export async function untilSettled(
  states: AsyncGenerator<FollowedSession, void, void>,
  turnId?: string,
  options?: FollowOptions,
): Promise<Settled> {
  for await (const { timeline } of states) {
    const progress = progressOf(timeline, turnId);
    if (progress.state !== 'working') return { progress, timeline };
  }
  throw options?.signal?.reason ?? new Error('Following ended.');
}
