import { describe, expect, it } from 'vitest';
import { changesFrom } from './changes-from.ts';
import { evolve } from './evolve.ts';
import { factsOfOutcome, type Outcome } from './outcome.ts';
import { at, message, play, send, turnStarted } from './testing/play-session.ts';

const error = { code: 'PROCESS_CRASH', message: 'gone' } as const;
const sending = play(send('t1')).session;
const typesOf = (session: typeof sending, outcome: Outcome) =>
  factsOfOutcome(session, outcome, at).map(({ type }) => type);

describe('the outcome of a message', () => {
  it('adds nothing while the agent is ready and the message is still waiting for it', () => {
    expect(typesOf(sending, { type: 'agent-ready', message: message('t1') })).toEqual([]);
    expect(typesOf(sending, { type: 'done' })).toEqual([]);
  });

  it.each<[string, Outcome]>([
    ['the agent is ready', { type: 'agent-ready', message: message('t1') }],
    ['the wait was stopped', { type: 'sending-stopped', turnId: 't1' }],
  ])('ends a cancelled turn as cancelled once %s', (_when, outcome) => {
    const { session } = play(send('t1'), { type: 'cancel' });
    expect(factsOfOutcome(session, outcome, at)).toMatchObject([
      { type: 'turn-started', event: { turnId: 't1' } },
      { type: 'turn-ended', event: { turnId: 't1', status: 'cancelled' } },
    ]);
  });

  it('fails its turn when the agent doesn’t accept it', () => {
    expect(factsOfOutcome(sending, { type: 'not-sent', turnId: 't1', error }, at)).toMatchObject([
      { type: 'turn-started' },
      { type: 'turn-ended', event: { type: 'turn_error', errorCode: 'PROCESS_CRASH', errorMessage: 'gone' } },
    ]);
  });

  it('fails its turn and closes the session if the agent couldn’t be started', () => {
    const facts = factsOfOutcome(sending, { type: 'not-started', turnId: 't1', error }, at);
    expect(facts.map(({ type }) => type)).toEqual(['turn-started', 'turn-ended', 'load-failed']);
    expect(facts.at(-1)).toEqual({ type: 'load-failed', error: { ...error, at } });
  });

  it('changes nothing in a session that was ended meanwhile', () => {
    const { session } = play(send('t1'), { type: 'kill' });
    expect(typesOf(session, { type: 'agent-ready', message: message('t1') })).toEqual([]);
    expect(typesOf(session, { type: 'sending-stopped', turnId: 't1' })).toEqual([]);
    expect(typesOf(session, { type: 'not-started', turnId: 't1', error })).toEqual([]);
    expect(typesOf(session, { type: 'not-sent', turnId: 't1', error })).toEqual([]);
  });
});

describe('the outcome of other effects', () => {
  it('lets the user cancel again if the agent couldn’t be stopped', () => {
    const { session } = play(send('t1'), turnStarted('t1'), { type: 'cancel' });
    const [fact] = factsOfOutcome(session, { type: 'not-cancelled', turnId: 't1', error }, at);
    expect(fact && evolve(session, fact).session.turn?.phase).toBe('running');
  });

  it.each([
    ['PROCESS_CRASH', 'PROCESS_CRASH'],
    ['TURN_NOT_FOUND', 'SUPERSEDED'],
  ] as const)('shows a steered message that failed with %s as %s, and keeps its place', (code, shown) => {
    const steer = (turnId: string) => ({ type: 'steer', message: message(turnId) }) as const;
    const { session, effects } = play(send('t1'), turnStarted('t1'), steer('x'));
    const effect = effects.at(-1);
    if (effect?.type !== 'steer-message') throw new Error('not steered');
    const [fact] = factsOfOutcome(
      session,
      { type: 'not-steered', item: effect.item, error: { code, message: 'no' } },
      at,
    );
    if (!fact) throw new Error('no fact');
    const after = evolve(session, fact).session;
    expect(changesFrom(session, fact, after)).toMatchObject([
      { type: 'session:upsert', payload: { itemId: effect.item.itemId, status: 'error', errorCode: shown } },
    ]);
    expect(after.steered).toHaveLength(1);
  });

  it('adds nothing if an answer or the end didn’t reach the agent', () => {
    expect(typesOf(sending, { type: 'not-answered', error })).toEqual([]);
    expect(typesOf(sending, { type: 'not-killed', error })).toEqual([]);
  });
});
