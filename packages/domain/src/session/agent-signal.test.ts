import { describe, expect, it } from 'vitest';
import { factsOfSignal, type AgentSignal } from './agent-signal.ts';
import { at, completed, permission, play, send, started, turnStarted } from './testing/play-session.ts';

const error = { code: 'PROCESS_CRASH', message: 'gone' } as const;
const running = play(send('t1'), turnStarted('t1')).session;
const typesOf = (session: typeof running, signal: AgentSignal) =>
  factsOfSignal(session, signal, at).map(({ type }) => type);

describe('signals from an agent', () => {
  it('start and end a turn once', () => {
    const sent = play(send('t1')).session;
    expect(typesOf(sent, { type: 'turn', event: started('t1') })).toEqual(['turn-started']);
    expect(typesOf(running, { type: 'turn', event: started('t1') })).toEqual([]);
    expect(typesOf(running, { type: 'turn', event: completed('t1') })).toEqual(['turn-ended']);
    expect(typesOf(running, { type: 'turn', event: completed('other') })).toEqual([]);
  });

  it('open a permission request, and end only an open one', () => {
    const request = permission('p1', 't1');
    expect(factsOfSignal(running, { type: 'permission-opened', request }, at)).toEqual([
      { type: 'permission-opened', request },
    ]);
    const ended = { type: 'permission-ended', requestId: 'p1', reason: 'withdrawn' } as const;
    expect(factsOfSignal(running, ended, at)).toEqual([]);
    const asked = play(send('t1'), turnStarted('t1'), { type: 'permission-opened', request }).session;
    expect(factsOfSignal(asked, ended, at)).toEqual([ended]);
  });

  it('fail the agent’s own turn and ours when its process closes', () => {
    const both = play(send('t1'), turnStarted('t1'), turnStarted('a1', 'agent')).session;
    expect(factsOfSignal(both, { type: 'process-closed', error }, at)).toMatchObject([
      { type: 'turn-ended', event: { turnId: 'a1', type: 'turn_error', errorMessage: 'gone' } },
      { type: 'turn-ended', event: { turnId: 't1', type: 'turn_error', errorMessage: 'gone' } },
      { type: 'process-closed', error: { ...error, at } },
    ]);
  });

  it('fail the session if its record can’t be opened, unless it is open or was ended meanwhile', () => {
    const signal = { type: 'load-failed', error } as const;
    const loading = play({ type: 'load' }).session;
    expect(factsOfSignal(loading, signal, at)).toEqual([{ type: 'load-failed', error: { ...error, at } }]);
    expect(factsOfSignal(running, signal, at)).toEqual([]);
    const ended = { code: 'SESSION_DEAD', message: 'ended' } as const;
    expect(factsOfSignal(loading, { type: 'load-failed', error: ended }, at)).toEqual([]);
  });
});
