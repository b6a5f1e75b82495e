import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { newSession } from './session.ts';
import {
  at,
  completed,
  message,
  permission,
  play,
  send,
  sessionId,
  turnEnded,
  turnStarted,
} from './testing/play-session.ts';

const refusal = (...given: Parameters<typeof decide>) => {
  const decision = decide(...given);
  return decision.ok ? null : decision.failure.code;
};

describe('sending', () => {
  it('sends a message at once when the agent is free', () => {
    const { session, effects, queue } = play(send('t1'));
    expect(session.turn).toEqual({ turnId: 't1', phase: 'sending', awaitsAgent: true, started: false });
    expect(effects).toEqual([{ type: 'wake-agent', message: message('t1') }]);
    expect(queue).toEqual([]);
  });

  it('sends a message once its agent is ready, and only once', () => {
    const deliver = { type: 'deliver', message: message('t1') } as const;
    const { session, effects } = play(send('t1'), deliver, deliver);
    expect(effects.slice(1)).toEqual([{ type: 'send-message', message: message('t1') }]);
    expect(session.turn).toMatchObject({ turnId: 't1', awaitsAgent: false });
  });

  it('doesn’t send a message whose turn was cancelled or ended while it waited for its agent', () => {
    const deliver = { type: 'deliver', message: message('t1') } as const;
    expect(play(send('t1'), { type: 'cancel' }, deliver).effects.map(({ type }) => type)).toEqual([
      'wake-agent',
      'cancel-turn',
    ]);
    expect(play(send('t1'), { type: 'kill' }, deliver).effects.map(({ type }) => type)).toEqual([
      'wake-agent',
      'kill-process',
    ]);
  });

  it('keeps one turn in flight: later messages wait in order', () => {
    const { queue, effects } = play(send('t1'), turnStarted('t1'), send('t2'), send('t3'));
    expect(queue).toEqual(['t2', 't3']);
    expect(effects).toHaveLength(1);
  });

  it('sends the next message after the previous turn’s terminal event', () => {
    const { session, queue } = play(send('t1'), turnStarted('t1'), send('t2'), turnEnded(completed('t1')), {
      type: 'advance',
    });
    expect(session.turn?.turnId).toBe('t2');
    expect(queue).toEqual([]);
  });

  it('waits for a turn that the agent started by itself', () => {
    const before = play(turnStarted('a1', 'agent'), send('t1'));
    expect(before.session.turn).toBeNull();
    const after = play(turnStarted('a1', 'agent'), send('t1'), turnEnded(completed('a1')), { type: 'advance' });
    expect(after.session.turn?.turnId).toBe('t1');
  });

  it('is rejected after the session was ended, until it is opened again', () => {
    const { session } = play({ type: 'kill' });
    expect(refusal(session, send('t1'), at)).toBe('SESSION_DEAD');
    const reopened = play({ type: 'kill' }, { type: 'load' }, { type: 'open' }, send('t1'));
    expect(reopened.session.turn?.turnId).toBe('t1');
  });

  it('releases messages held since a restart, in order', () => {
    const held = { ...newSession(sessionId), queue: [message('t1', 'held'), message('t2', 'unknown')] };
    const decision = decide(held, send('t3'), at);
    expect(decision.ok && decision.value.map((fact) => fact.type)).toEqual([
      'queue-released',
      'message-queued',
      'message-handed',
    ]);
    expect(decision.ok && decision.value.at(-1)).toMatchObject({ message: { turnId: 't1' } });
  });
});

describe('opening', () => {
  const failure = { code: 'PROCESS_CRASH', message: 'Its program is gone.', at };
  const loadFailed = { type: 'load-failed', error: failure } as const;

  it('queues messages while the agent loads, and sends them once it has', () => {
    const loading = play({ type: 'load' }, send('t1'));
    expect([loading.session.life, loading.queue, loading.session.turn]).toEqual(['loading', ['t1'], null]);
    const open = play({ type: 'load' }, send('t1'), { type: 'open' });
    expect([open.session.life, open.session.turn?.turnId]).toEqual(['open', 't1']);
  });

  it('leaves the session dead with a reason after a failure, and keeps queued messages until it is opened again', () => {
    const { session } = play({ type: 'load' }, send('t1'), loadFailed);
    expect(session).toMatchObject({ life: 'dead', lastError: failure, queue: [{ turnId: 't1', state: 'held' }] });
    const refused = decide(session, send('t2'), at);
    expect(!refused.ok && refused.failure).toMatchObject({
      code: 'SESSION_DEAD',
      message: expect.stringContaining('Its program is gone.') as string,
    });
    const again = play({ type: 'load' }, send('t1'), loadFailed, { type: 'load' }, { type: 'open' });
    expect(again.session).toMatchObject({ life: 'open', lastError: null, turn: { turnId: 't1' } });
  });

  it('doesn’t reopen a session the user ended meanwhile', () => {
    const { session } = play({ type: 'load' }, { type: 'kill' });
    expect(refusal(session, { type: 'open' }, at)).toBe('SESSION_DEAD');
  });
});

describe('the queue', () => {
  const busy = [send('t1'), turnStarted('t1'), send('t2')] as const;

  it('lets the user edit and remove a waiting message', () => {
    const edited = play(...busy, { type: 'edit', turnId: 't2', content: 'better' });
    expect(edited.session.queue[0]?.content).toBe('better');
    expect(play(...busy, { type: 'withdraw', turnId: 't2' }).queue).toEqual([]);
  });

  it('rejects both once the turn has started, and for an unknown turn', () => {
    const { session } = play(...busy);
    expect(refusal(session, { type: 'withdraw', turnId: 't1' }, at)).toBe('TURN_STARTED');
    expect(refusal(session, { type: 'edit', turnId: 'nope', content: 'x' }, at)).toBe('TURN_NOT_FOUND');
  });

  it('sends a queued message into the running turn, and leaves it queued if there is none', () => {
    const steer = { type: 'steer-queued', turnId: 't2', message: message('t3') } as const;
    const { effects, queue, facts } = play(send('t1'), turnStarted('t1'), send('t2'), steer);
    expect(queue).toEqual([]);
    expect(facts.slice(-2)).toMatchObject([
      { type: 'message-withdrawn', turnId: 't2' },
      { type: 'message-steered', turnId: 't1' },
    ]);
    expect(effects.at(-1)).toMatchObject({ type: 'steer-message', message: { turnId: 't3' } });
    // The agent has the first message, but hasn't started its turn.
    const { session } = play(send('t1'), send('t2'));
    expect(decide(session, steer, at)).toEqual({ ok: true, value: [] });
    expect(decide(session, { ...steer, turnId: 'gone' }, at)).toMatchObject({ failure: { code: 'TURN_NOT_FOUND' } });
  });

  it('resends a message that may not have been delivered as a new turn', () => {
    const doubtful = { ...newSession(sessionId), queue: [message('t1', 'unknown')] };
    expect(decide(doubtful, { type: 'advance' }, at)).toEqual({ ok: true, value: [] });
    const decision = decide(doubtful, { type: 'resend', turnId: 't1', message: message('t2') }, at);
    expect(decision.ok && decision.value.map((fact) => fact.type)).toEqual([
      'message-withdrawn',
      'message-queued',
      'message-handed',
    ]);
  });
});

describe('cancelling', () => {
  it('stops the running turn only, once', () => {
    const { effects, queue, session } = play(
      send('t1'),
      turnStarted('t1'),
      send('t2'),
      { type: 'cancel' },
      { type: 'cancel' },
    );
    expect(effects.filter((effect) => effect.type === 'cancel-turn')).toHaveLength(1);
    expect(queue).toEqual(['t2']);
    expect(session.turn?.phase).toBe('cancelling');
  });

  it('can be tried again if the agent couldn’t be stopped', () => {
    const failed = { type: 'cancel-failed', turnId: 't1' } as const;
    const { effects } = play(send('t1'), turnStarted('t1'), { type: 'cancel' }, failed, { type: 'cancel' });
    expect(effects.filter((effect) => effect.type === 'cancel-turn')).toHaveLength(2);
  });

  it('has no effect if nothing is running', () => {
    expect(play({ type: 'cancel' }).facts).toEqual([]);
  });
});

describe('ending a session', () => {
  it('cancels the running turn, closes permission requests and holds the queue', () => {
    const { session, facts, effects } = play(
      send('t1'),
      turnStarted('t1'),
      send('t2'),
      { type: 'permission-opened', request: permission('p1', 't1') },
      { type: 'kill' },
    );
    expect(facts.at(-2)).toMatchObject({ type: 'turn-ended', event: { turnId: 't1', status: 'cancelled' } });
    expect(session).toMatchObject({
      life: 'dead',
      turn: null,
      permissions: [],
      queue: [{ turnId: 't2', state: 'held' }],
    });
    expect(effects.at(-1)).toEqual({ type: 'kill-process' });
  });

  it('starts a turn that never started before it ends it', () => {
    const { facts } = play(send('t1'), { type: 'kill' });
    expect(facts.map((fact) => fact.type).slice(-3)).toEqual(['turn-started', 'turn-ended', 'session-killed']);
  });
});

describe('answering', () => {
  const asked = [
    send('t1'),
    turnStarted('t1'),
    { type: 'permission-opened', request: permission('p1', 't1') } as const,
  ] as const;

  it('is passed on once, with one of the offered options', () => {
    const answer = { requestId: 'p1', optionId: 'yes' };
    const { effects, session } = play(...asked, { type: 'answer', answer });
    expect(effects.at(-1)).toEqual({ type: 'resolve-permission', answer });
    expect(refusal(session, { type: 'answer', answer }, at)).toBe('PERMISSION_CLOSED');
  });

  it('is rejected for an unknown option or request', () => {
    const { session } = play(...asked);
    expect(refusal(session, { type: 'answer', answer: { requestId: 'p1', optionId: 'maybe' } }, at)).toBe(
      'INVALID_REQUEST',
    );
    expect(refusal(session, { type: 'answer', answer: { requestId: 'p2', optionId: 'yes' } }, at)).toBe(
      'PERMISSION_NOT_FOUND',
    );
  });

  it('is rejected after its turn has ended', () => {
    const { session } = play(...asked, turnEnded(completed('t1')));
    expect(session.permissions).toEqual([]);
    expect(refusal(session, { type: 'answer', answer: { requestId: 'p1', optionId: 'yes' } }, at)).toBe(
      'PERMISSION_CLOSED',
    );
  });
});

it('keeps a request outside the conversation open after its turn, until the process ends', () => {
  const request = { ...permission('p1', 't1'), outlivesTurn: true };
  const asked = [send('t1'), turnStarted('t1'), { type: 'permission-opened', request } as const] as const;
  expect(play(...asked, turnEnded(completed('t1'))).session.permissions).toEqual([request]);
  const gone = { type: 'process-closed', error: { code: 'PROCESS_CRASH', message: 'gone', at } } as const;
  expect(play(...asked, turnEnded(completed('t1')), gone).session.permissions).toEqual([]);
});

describe('steering', () => {
  it('puts the message into the running turn, numbered, and leaves the queue alone', () => {
    const steer = (turnId: string) => ({ type: 'steer', message: message(turnId) }) as const;
    const { facts, effects, queue } = play(send('t1'), turnStarted('t1'), send('t2'), steer('x'), steer('y'));
    expect(facts.slice(-2)).toMatchObject([
      { turnId: 't1', place: 1 },
      { turnId: 't1', place: 2 },
    ]);
    expect(effects.slice(-2).map((effect) => effect.type)).toEqual(['steer-message', 'steer-message']);
    expect(queue).toEqual(['t2']);
  });

  it('is the same as sending when no turn is running', () => {
    expect(play({ type: 'steer', message: message('t1') }).session.turn?.turnId).toBe('t1');
    expect(play(send('t1'), { type: 'steer', message: message('t2') }).queue).toEqual(['t2']);
  });
});

describe('continuing from an earlier turn', () => {
  const rewind = { type: 'begin-rewind', hasBackgroundWork: false } as const;

  it('CP-9: forks any turn that has ended, but none that is running or queued', () => {
    const { session } = play(send('t1'), turnStarted('t1'), send('t2'));
    const fork = (turnId: string | null) => refusal(session, { type: 'fork', turnId }, at);
    expect([fork('t1'), fork('t2'), fork('t0'), fork(null)]).toEqual(['TURN_RUNNING', 'TURN_NOT_FOUND', null, null]);
  });

  it('CP-9: rewinds only when nothing is running, asking, opening or working in the background', () => {
    expect(refusal(newSession(sessionId), rewind, at)).toBeNull();
    const asking = { ...newSession(sessionId), permissions: [permission('p1', 't1')] };
    const busy = [play(send('t1')).session, asking, { ...newSession(sessionId), life: 'loading' as const }];
    for (const session of busy) expect(refusal(session, rewind, at)).toBe('TURN_RUNNING');
    expect(refusal(newSession(sessionId), { ...rewind, hasBackgroundWork: true }, at)).toBe('TURN_RUNNING');
    expect(refusal(play(rewind).session, rewind, at)).toBe('TURN_RUNNING');
  });

  it('CP-9: sends nothing during a rewind; messages from that time are sent afterwards', () => {
    const waiting = { ...newSession(sessionId), queue: [message('t1')] };
    const begun = decide(waiting, rewind, at);
    expect(begun).toMatchObject({ value: [{ type: 'rewind-begun' }] });
    const meanwhile = play(rewind, send('t2'));
    expect([meanwhile.effects, meanwhile.queue]).toEqual([[], ['t2']]);
    const { effects, session } = play(rewind, send('t2'), { type: 'end-rewind' });
    expect(effects).toEqual([{ type: 'wake-agent', message: message('t2') }]);
    expect(session.isRewinding).toBe(false);
    expect(play(rewind, { type: 'end-rewind' }).effects).toEqual([]);
  });
});
