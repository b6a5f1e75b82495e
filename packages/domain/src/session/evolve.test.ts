import { describe, expect, it } from 'vitest';
import { beginTurn } from './close-turn.ts';
import { at, completed, message, play, send, started, turnEnded, turnStarted } from './testing/play-session.ts';

const steer = (turnId: string) => ({ type: 'steer', message: message(turnId) }) as const;

describe('a turn that is cancelled before the agent has started it', () => {
  const cancelled = [send('t1'), { type: 'cancel' }] as const;

  it('is still being cancelled once the agent starts it', () => {
    expect(play(...cancelled, turnStarted('t1')).session.turn).toMatchObject({ phase: 'cancelling', started: true });
  });

  it('isn’t reported as running if it couldn’t be stopped', () => {
    const failed = { type: 'cancel-failed', turnId: 't1' } as const;
    expect(play(...cancelled, failed).session.turn?.phase).toBe('sending');
    expect(play(...cancelled, turnStarted('t1'), failed).session.turn?.phase).toBe('running');
  });
});

describe('a steered message', () => {
  const steered = [send('t1'), turnStarted('t1'), steer('x')] as const;

  it('no longer gets a turn of its own once the process has closed', () => {
    const error = { code: 'PROCESS_CRASH', message: 'gone', at };
    const gone = play(...steered, { type: 'process-closed', error }).session;
    expect(gone.steered).toEqual([]);
    expect(beginTurn(gone, started('x'), at)).toEqual([]);
  });

  it('no longer gets a turn of its own once a later turn has ended', () => {
    const own = play(...steered, turnEnded(completed('t1')));
    expect(own.session.steered.map(({ ownTurnId }) => ownTurnId)).toEqual(['x']);
    const later = play(...steered, turnEnded(completed('t1')), turnStarted('a1', 'agent'), turnEnded(completed('a1')));
    expect(later.session.steered).toEqual([]);
  });
});
