import { describe, expect, it } from 'vitest';
import { play, permission, send, turnStarted } from './testing/play-session.ts';
import { statusOf } from './session.ts';

describe('the status of a session', () => {
  const ask = { type: 'permission-opened', request: permission('p1', 't1') } as const;
  it.each([
    ['idle with its process', play(), true, { state: 'open', activity: 'idle', isAlive: true }],
    ['asleep without it', play(), false, { state: 'open', activity: 'asleep', isAlive: false }],
    ['working in a turn', play(send('t1')), false, { state: 'open', activity: 'working', isAlive: false }],
    [
      'waiting for a person',
      play(send('t1'), turnStarted('t1'), ask),
      true,
      { state: 'open', activity: 'waiting', isAlive: true },
    ],
    ['dead after it was ended', play({ type: 'kill' }), false, { state: 'dead', activity: 'idle', isAlive: false }],
  ])('%s', (_name, { session }, isAlive, expected) => expect(statusOf(session, isAlive)).toEqual(expected));
});
