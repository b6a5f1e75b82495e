import { describe, expect, it } from 'vitest';
import { beginTurn } from './close-turn.ts';
import { isBusy } from './session.ts';
import { movedItems } from './steered.ts';
import { at, completed, message, play, send, started, turnEnded, turnStarted } from './testing/play-session.ts';

const steer = (turnId: string) => ({ type: 'steer', message: message(turnId) }) as const;
const ended = turnEnded(completed('t1'));

describe('a steered message that came too late for its turn', () => {
  const steered = [send('t1'), turnStarted('t1'), steer('x'), steer('y'), steer('z'), ended] as const;

  it('starts a turn of its own, with the later ones, and keeps the session busy until that ends', () => {
    const { session } = play(...steered);
    const facts = beginTurn(session, started('y'), at);
    expect(facts.map(({ type }) => type)).toEqual(['steering-missed', 'turn-started']);
    const during = play(...steered, ...facts).session;
    expect([isBusy(during), during.agentTurn]).toEqual([true, 'y']);
    expect(isBusy(play(...steered, ...facts, turnEnded(completed('y'))).session)).toBe(false);
    const [missed] = facts;
    if (missed?.type !== 'steering-missed') throw new Error('nothing was missed');
    expect(movedItems(missed).map(({ itemId, content, status }) => [itemId, content, status])).toEqual([
      ['t1:0:2', 'content of y', 'error'],
      ['t1:0:3', 'content of z', 'error'],
      ['y:0:0', 'content of y', 'complete'],
      ['y:0:1', 'content of z', 'complete'],
    ]);
  });

  it('may still get a turn of its own after it shared another’s', () => {
    const shared = [...steered, ...beginTurn(play(...steered).session, started('y'), at), turnEnded(completed('y'))];
    const facts = beginTurn(play(...shared).session, started('z'), at);
    expect(facts[0]).toMatchObject({ type: 'steering-missed', messages: [{ item: { itemId: 'y:0:1' } }] });
  });

  it('no longer gets a turn of its own once the next message starts, or the session is ended', () => {
    const next = play(...steered, send('t2'), turnStarted('t2'));
    expect(beginTurn(next.session, started('y'), at)).toEqual([]);
    expect(beginTurn(play(...steered, { type: 'kill' }).session, started('y'), at)).toEqual([]);
  });
});
