import type { SessionHistory } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import type { ApiFailure, RouteCalls } from './call-routes.ts';
import { type FollowDeps, FollowError, followSession } from './follow-session.ts';
import { readMessage } from './read-message.ts';
import { FakeSocket } from './testing/fake-socket.ts';

const status = { state: 'open' as const, activity: 'idle' as const, isAlive: true };
const history: SessionHistory = {
  entries: [],
  turns: [],
  hasMore: false,
  permissions: [],
  queue: [],
  status,
  info: {},
};
const stamp = (seq: number) => ({ sessionId: 's', epoch: 'e', seq });

function setup(failure?: ApiFailure) {
  const opened: FakeSocket[] = [];
  const reply = failure
    ? { ok: false as const, failure }
    : { ok: true as const, value: { sessionId: 's', cliType: 'demo', ...status } };
  const deps: FollowDeps = {
    api: { session: { status: async () => reply } as unknown as RouteCalls['session'] },
    openSocket() {
      const socket = new FakeSocket();
      opened.push(socket);
      return socket;
    },
    read: readMessage,
    delay: () => 0,
  };
  const ending = new AbortController();
  const states = followSession(deps, 's', { signal: ending.signal });
  const connected = async (count: number) => {
    await vi.waitFor(() => expect(opened).toHaveLength(count));
    opened[count - 1]!.accept();
    return opened[count - 1]!;
  };
  return { opened, states, connected, ending };
}

describe('following a session', () => {
  it('starts with the first history, then reports changes in batches', async () => {
    const { states, connected, ending } = setup();
    const first = states.next();
    const socket = await connected(1);
    expect(socket.sent).toEqual([{ type: 'session:subscribe', sessionId: 's', encoding: 'append' }]);
    socket.say({ type: 'session:history', ...stamp(1), ...history });
    expect((await first).value).toMatchObject({ connection: { phase: 'open' }, timeline: { status } });
    socket.say({ type: 'session:info', ...stamp(2), payload: { title: 'new' } });
    socket.say({ type: 'session:status', ...stamp(3), payload: { ...status, activity: 'working' } });
    const second = (await states.next()).value;
    expect(second?.timeline.info.title).toBe('new');
    expect(second?.changed).toMatchObject({ info: true, status: true, queue: false });
    ending.abort();
    expect(await states.next()).toEqual({ done: true, value: undefined });
  });

  it('reports a lost connection, and continues from the cursor', async () => {
    const { states, connected } = setup();
    const first = states.next();
    const socket = await connected(1);
    socket.say({ type: 'session:history', ...stamp(7), ...history });
    await first;
    socket.onclose?.();
    expect((await states.next()).value?.connection.phase).toBe('lost');
    const second = await connected(2);
    expect(second.sent[0]).toMatchObject({ cursor: { epoch: 'e', seq: 7 } });
    expect((await states.next()).value?.connection.phase).toBe('open');
    await states.return();
    expect(second.readyState).toBe(3);
  });

  it.each(['SESSION_NOT_FOUND', 'UNAUTHORIZED', 'UNREACHABLE'])(
    'fails with %s if it was never connected',
    async (code) => {
      const { states, opened } = setup({ code, message: 'No.' });
      const first = states.next();
      opened[0]?.onclose?.();
      const error = await first.then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(FollowError);
      expect((error as FollowError).failure.code).toBe(code);
      expect(opened[0]?.readyState).toBe(3);
    },
  );

  it('fails if the server answers requests, but a socket never opens', async () => {
    const { states, opened } = setup();
    const first = states.next();
    first.catch(() => {});
    for (let count = 1; count <= 5; count += 1) {
      await vi.waitFor(() => expect(opened).toHaveLength(count));
      opened[count - 1]?.onclose?.();
    }
    await expect(first).rejects.toThrow('A proxy in between must pass WebSockets on');
  });

  it('retries a server it was connected to, and gives up if the token is rejected', async () => {
    const gone = setup({ code: 'UNREACHABLE', message: 'No.' });
    const first = gone.states.next();
    (await gone.connected(1)).say({ type: 'session:history', ...stamp(1), ...history });
    await first;
    gone.opened[0]?.onclose?.();
    expect((await gone.states.next()).value?.connection.phase).toBe('lost');
    (await gone.connected(2)).say({ type: 'session:resumed', ...stamp(1), verdict: 'ok' });
    expect((await gone.states.next()).value?.connection.phase).toBe('open');
    await gone.states.return();

    const refused = setup({ code: 'UNAUTHORIZED', message: 'No.' });
    const before = refused.states.next();
    (await refused.connected(1)).say({ type: 'session:history', ...stamp(1), ...history });
    await before;
    refused.opened[0]?.onclose?.();
    await expect(
      (async () => {
        for await (const state of refused.states) expect(state.connection.phase).not.toBe('open');
      })(),
    ).rejects.toThrow('No.');
  });

  it.each([
    ['there is no such session', 'SESSION_NOT_FOUND'],
    ['the session can’t be read', 'INTERNAL_ERROR'],
  ] as const)('fails if the server reports that %s', async (_, code) => {
    const { states, connected } = setup();
    const first = states.next();
    (await connected(1)).say({ type: 'error', code, message: 'None.', sessionId: 's' });
    await expect(first).rejects.toThrow('None.');
  });
});
