import type { PermissionRequest, QueuedMessage, SessionStatus, TurnRecord } from '@liminal/contracts';
import { createTimeline, type Timeline } from '@liminal/domain/timeline/timeline';
import { describe, expect, it } from 'vitest';
import { progressOf } from './progress-of.ts';

const at = '2026-01-01T00:00:00.000Z';
const idle: SessionStatus = { state: 'open', activity: 'idle', isAlive: true };
const complete = (turnId: string, status: 'completed' | 'cancelled'): TurnRecord => ({
  turnId,
  state: status,
  ended: { type: 'turn_complete', turnId, sessionId: 's', status },
});
const error = (turnId: string): TurnRecord => ({
  turnId,
  state: 'failed',
  ended: { type: 'turn_error', turnId, sessionId: 's', errorCode: 'MODEL_ERROR', errorMessage: 'It broke.' },
});
const queued = (turnId: string, state?: 'held' | 'unknown'): QueuedMessage => ({
  turnId,
  content: '',
  createdAt: at,
  ...(state && { state }),
});

function timeline(records: readonly TurnRecord[], more: Partial<Timeline> = {}): Timeline {
  const turns = records.map((record, rank) => ({
    turnId: record.turnId,
    record,
    itemIds: [],
    rank,
    ranked: true,
  }));
  return {
    ...createTimeline(),
    turns: new Map(turns.map((turn) => [turn.turnId, turn])),
    turnIds: turns.map(({ turnId }) => turnId),
    status: idle,
    ...more,
  };
}

describe('the progress of a session', () => {
  it('follows its newest turn', () => {
    expect(progressOf(timeline([]))).toEqual({ state: 'done' });
    expect(progressOf(timeline([error('a'), complete('b', 'completed')]))).toEqual({ state: 'done', turnId: 'b' });
    expect(progressOf(timeline([complete('b', 'cancelled')]))).toEqual({ state: 'stopped', turnId: 'b' });
    expect(progressOf(timeline([error('a')]))).toEqual({ state: 'failed', turnId: 'a', message: 'It broke.' });
    expect(progressOf(timeline([{ turnId: 'a', state: 'running' }]))).toEqual({ state: 'working' });
  });

  it('counts as working while a queued message is about to be sent', () => {
    const done = complete('a', 'completed');
    expect(progressOf(timeline([done], { queue: [queued('b')] }))).toEqual({ state: 'working' });
    expect(progressOf(timeline([done], { queue: [queued('b', 'held')] }))).toMatchObject({ state: 'done' });
    expect(progressOf(timeline([done], { status: { ...idle, activity: 'working' } }))).toEqual({ state: 'working' });
  });

  it('waits for a user while a request is open', () => {
    const permissions = [{ requestId: 'r' } as PermissionRequest];
    expect(progressOf(timeline([{ turnId: 'a', state: 'running' }], { permissions }))).toEqual({
      state: 'waiting',
      requests: permissions,
    });
    // A turn that has ended needs nobody.
    expect(progressOf(timeline([complete('a', 'completed')], { permissions }), 'a')).toMatchObject({ state: 'done' });
  });

  it('is failed if the session is dead while a turn should run', () => {
    const dead: SessionStatus = {
      state: 'dead',
      activity: 'idle',
      isAlive: false,
      lastError: { code: 'PROCESS_CRASH', message: 'The agent ended.', at },
    };
    const running: TurnRecord = { turnId: 'a', state: 'running' };
    expect(progressOf(timeline([running], { status: dead }))).toEqual({
      state: 'failed',
      turnId: 'a',
      message: 'The agent ended.',
    });
    expect(progressOf(timeline([], { status: dead }))).toMatchObject({ state: 'failed' });
  });

  it('of one turn is failed if its message waits for a user', () => {
    const queue = [queued('b', 'held'), queued('c', 'unknown'), queued('d')];
    const restored = timeline([complete('a', 'completed')], { queue });
    expect(progressOf(restored, 'b')).toMatchObject({
      state: 'failed',
      turnId: 'b',
      message: expect.stringContaining('held'),
    });
    expect(progressOf(restored, 'c')).toMatchObject({
      state: 'failed',
      turnId: 'c',
      message: expect.stringContaining('delivered'),
    });
    expect(progressOf(restored, 'd')).toEqual({ state: 'working' });
  });

  it('of one turn doesn’t depend on the others', () => {
    const held = timeline([error('a'), { turnId: 'b', state: 'running' }], { queue: [queued('c')] });
    expect(progressOf(held, 'a')).toMatchObject({ state: 'failed' });
    expect(progressOf(held, 'b')).toEqual({ state: 'working' });
    expect(progressOf(held, 'c')).toEqual({ state: 'working' });
    expect(progressOf(held, 'removed')).toEqual({ state: 'stopped', turnId: 'removed' });
  });
});
