import { describe, expect, it } from 'vitest';
import { readMessage, type ReadMessage } from './read-message.ts';
import { createSocket, type SocketState } from './socket.ts';
import { FakeSocket } from './testing/fake-socket.ts';

/** A clock that moves only when asked, with its timers. */
function fakeClock() {
  let now = 0;
  let timers: Array<{ at: number; task: () => void }> = [];
  return {
    now: () => now,
    after(milliseconds: number, task: () => void) {
      const timer = { at: now + milliseconds, task };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(milliseconds: number) {
      now += milliseconds;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.task();
    },
  };
}

function setup() {
  const clock = fakeClock();
  const opened: FakeSocket[] = [];
  const messages: ReadMessage[] = [];
  const states: SocketState[] = [];
  const cursors = new Map<string, { epoch: string; seq: number }>();
  const socket = createSocket({
    open: () => {
      const fresh = new FakeSocket();
      opened.push(fresh);
      return fresh;
    },
    read: readMessage,
    now: clock.now,
    after: clock.after,
    delay: (attempt) => attempt * 100,
    cursorOf: (sessionId) => cursors.get(sessionId),
    onMessage: (message) => messages.push(message),
    onState: (state) => states.push(state),
  });
  const last = (): FakeSocket => opened.at(-1)!;
  return { clock, opened, messages, states, cursors, socket, last };
}

describe('socket', () => {
  it('subscribes to the requested sessions, with appends, once it is open', () => {
    const { socket, last } = setup();
    socket.subscribe('s1');
    socket.start();
    last().accept();
    expect(last().sent).toEqual([
      { type: 'directory:subscribe' },
      { type: 'session:subscribe', sessionId: 's1', encoding: 'append' },
    ]);
  });

  it('reconnects after a loss and continues from the cursor', () => {
    const { socket, last, clock, states, cursors, opened } = setup();
    socket.subscribe('s1');
    socket.start();
    last().accept();
    cursors.set('s1', { epoch: 'e', seq: 7 });
    last().onclose?.();
    expect(states.at(-1)).toEqual({ phase: 'lost', attempt: 1, retryAt: 100 });
    clock.advance(100);
    expect(opened).toHaveLength(2);
    last().accept();
    expect(last().sent.at(-1)).toEqual({
      type: 'session:subscribe',
      sessionId: 's1',
      encoding: 'append',
      cursor: { epoch: 'e', seq: 7 },
    });
    expect(states.at(-1)).toEqual({ phase: 'open' });
  });

  it('waits longer after each failed attempt', () => {
    const { socket, last, clock, states } = setup();
    socket.start();
    last().onclose?.();
    clock.advance(100);
    last().onclose?.();
    expect(states.at(-1)).toMatchObject({ phase: 'lost', attempt: 2, retryAt: 300 });
  });

  it('detects that a silent socket is dead', () => {
    const { socket, last, clock, states } = setup();
    socket.start();
    last().accept();
    clock.advance(15_000);
    expect(last().sent.at(-1)).toEqual({ type: 'ping' });
    clock.advance(5_000);
    expect(states.at(-1)).toMatchObject({ phase: 'lost' });
  });

  it('accepts any message as a sign of life', () => {
    const { socket, last, clock, states } = setup();
    socket.start();
    last().accept();
    clock.advance(15_000);
    last().say({ type: 'pong' });
    clock.advance(5_000);
    expect(states.at(-1)).toEqual({ phase: 'open' });
  });

  it('ignores unknown and malformed messages', () => {
    const { socket, last, messages } = setup();
    socket.start();
    last().accept();
    last().say('{');
    last().say({ type: 'session:hologram', sessionId: 's', epoch: 'e', seq: 1 });
    last().say({ type: 'session:append', sessionId: 's', epoch: 'e', seq: 1, payload: { itemId: 'i' } });
    expect(messages).toEqual([]);
    const good = {
      type: 'session:append',
      sessionId: 's',
      epoch: 'e',
      seq: 1,
      payload: { itemId: 'i', offset: 0, text: 'a' },
    };
    last().say(good);
    expect(messages).toEqual([good]);
  });

  it('ignores a socket it has abandoned', () => {
    const { socket, last, opened, messages, clock } = setup();
    socket.start();
    last().accept();
    const first = opened[0]!;
    first.onclose?.();
    clock.advance(100);
    first.say({ type: 'error', code: 'X', message: 'late' });
    expect(messages).toEqual([]);
  });

  it('retries at once when the network is back', () => {
    const { socket, last, opened } = setup();
    socket.start();
    last().onclose?.();
    socket.nudge();
    expect(opened).toHaveLength(2);
  });

  it('stays closed once stopped', () => {
    const { socket, last, opened, clock } = setup();
    socket.start();
    last().accept();
    socket.stop();
    clock.advance(60_000);
    expect(opened).toHaveLength(1);
  });
});
