import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import type { Fact } from './fact.ts';
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
import { changesFrom } from './changes-from.ts';

const published = (before: ReturnType<typeof play>, fact: Fact) =>
  changesFrom(before.session, fact, evolve(before.session, fact).session);

describe('changes for readers', () => {
  it('show a message in the queue until it is sent, then as the user’s own item', () => {
    const decision = decide(newSession(sessionId), send('t1'), at);
    const [queued, handed] = decision.ok ? decision.value : [];
    const idle = play();
    expect(queued && published(idle, queued)).toMatchObject([
      { type: 'session:queue', payload: { queue: [{ turnId: 't1' }] } },
    ]);
    const waiting = play(queued as Fact);
    expect(handed && published(waiting, handed)).toMatchObject([
      { type: 'session:queue', payload: { queue: [] } },
      {
        type: 'session:upsert',
        payload: { itemId: 't1:0:0', origin: 'user', status: 'complete', content: 'content of t1' },
      },
    ]);
  });

  it('include the queue when a message in it changes, even if its length doesn’t', () => {
    const waiting = play(send('t1'), turnStarted('t1'), send('t2'));
    const edited: Fact = { type: 'message-edited', message: { ...message('t2'), content: 'edited' } };
    expect(published(waiting, edited)).toMatchObject([
      { type: 'session:queue', payload: { queue: [{ turnId: 't2', content: 'edited' }] } },
    ]);
    const held = { ...waiting, session: { ...waiting.session, queue: [message('t2', 'held')] } };
    expect(published(held, { type: 'queue-released' })).toMatchObject([
      { type: 'session:queue', payload: { queue: [{ turnId: 't2', state: 'waiting' }] } },
    ]);
  });

  it('report that a request has ended, and why, when its turn ends', () => {
    const asked = play(send('t1'), turnStarted('t1'), { type: 'permission-opened', request: permission('p1', 't1') });
    expect(published(asked, turnEnded(completed('t1')))).toMatchObject([
      { type: 'session:permission', payload: { state: 'ended', reason: 'The turn was completed.' } },
      { type: 'session:turn', payload: { type: 'turn_complete' } },
    ]);
  });

  it('report which option was chosen', () => {
    const request = permission('p1', 't1');
    const asked = play(send('t1'), turnStarted('t1'), { type: 'permission-opened', request });
    const answered: Fact = { type: 'permission-answered', request, answer: { requestId: 'p1', optionId: 'no' } };
    expect(published(asked, answered)).toMatchObject([{ payload: { state: 'answered', optionId: 'no' } }]);
  });

  it('leave out arguments and diffs when a request is closed', () => {
    const request = {
      ...permission('p1', 't1'),
      toolArguments: { command: 'x'.repeat(1_000) },
      diffs: [{ path: 'a', oldText: null, newText: 'x'.repeat(1_000) }],
      description: 'x'.repeat(1_000),
    };
    const asked = play(send('t1'), turnStarted('t1'), { type: 'permission-opened', request });
    const answered: Fact = { type: 'permission-answered', request, answer: { requestId: 'p1', optionId: 'no' } };
    for (const fact of [answered, turnEnded(completed('t1'))]) {
      const changes = published(asked, fact);
      expect(changes).toMatchObject([{ payload: { request: permission('p1', 't1') } }, ...changes.slice(1)]);
      expect(JSON.stringify(changes).length).toBeLessThan(1_000);
    }
  });
});
