import type { TurnRecord } from '@liminal/contracts';
import { personsItemId } from '@liminal/domain/items/item-id';
import { message, toolCall } from '@liminal/domain/timeline/testing/messages';
import { expect, it } from 'vitest';
import { cutOffTurns } from './cut-off-turns.ts';

const at = '2026-02-01T00:00:00.000Z';
const running: TurnRecord = { turnId: 't1', state: 'running', startedAt: '2026-01-31T23:59:00.000Z' };
const asked = message(personsItemId('t1'), { turnId: 't1', content: 'Fix it', status: 'complete', origin: 'user' });
const writesOf = (turns: readonly TurnRecord[], entries: Parameters<typeof cutOffTurns>[0]['history']['entries']) =>
  cutOffTurns({
    sessionId: 's',
    history: { turns: [...turns], entries },
    places: { order: 7, position: 3 },
    machine: 'node-2',
    at,
  });

it('keeps the received part of a running turn as a failed turn', () => {
  const [turn, ...items] = writesOf(
    [running],
    [
      asked,
      toolCall('t1:1:0', { turnId: 't1', status: 'update' }),
      message('t1:2:0', { turnId: 't1', status: 'complete' }),
    ],
  );
  expect(turn).toMatchObject({
    type: 'put-turn',
    row: {
      turnId: 't1',
      state: 'failed',
      position: 3,
      content: 'Fix it',
      startedAt: running.startedAt,
      ended: {
        type: 'turn_error',
        errorCode: 'PROCESS_CRASH',
        errorMessage: expect.stringContaining('node-2') as string,
      },
      endedAt: at,
    },
  });
  expect(items).toMatchObject([
    { row: { order: 7, body: { content: 'Fix it', status: 'complete' } } },
    { row: { order: 8, body: { type: 'tool_call', status: 'error', errorCode: 'PROCESS_CRASH' } } },
    { row: { order: 9, body: { status: 'complete' } } },
  ]);
});

it('leaves out finished turns, and messages that no agent received', () => {
  const ended: TurnRecord = { turnId: 't0', state: 'completed' };
  expect(writesOf([ended, running], [message('t0:1:0', { turnId: 't0' }), asked])).toEqual([]);
  const started = { type: 'turn_started', turnId: 't1', sessionId: 's', modelId: 'm', providerId: 'p' } as const;
  expect(writesOf([{ ...running, started }], [asked])).toHaveLength(2);
});
