import type { ToolCallUpsert, UpsertObject } from '@liminal/contracts';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import { personsItemId } from '@liminal/domain/items/item-id';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryBus } from '../bus/memory/memory-bus.ts';
import { measureTurns } from './measure-turns.ts';
import type { Telemetry } from './telemetry.ts';

const at = '2026-01-01T00:00:00.000Z';
const base = { turnId: 't1', sessionId: 's1', sourceTimestamp: at, emittedAt: at };
const text = 'confidential';
const item = (payload: UpsertObject): ChangeBody => ({ type: 'session:upsert', payload });
const asked = item({
  ...base,
  type: 'message',
  itemId: personsItemId('t1'),
  status: 'complete',
  content: text,
  origin: 'user',
});
const started: ChangeBody = {
  type: 'session:turn',
  payload: { type: 'turn_started', turnId: 't1', sessionId: 's1', modelId: 'm', providerId: 'demo' },
};
const answer = (content: string): ChangeBody =>
  item({ ...base, type: 'message', itemId: 'a', status: 'update', content, origin: 'agent' });
const call = (more: Partial<ToolCallUpsert>): ChangeBody =>
  item({
    ...base,
    type: 'tool_call',
    itemId: 'c',
    callId: 'c',
    status: 'create',
    toolName: text,
    toolArguments: { path: text },
    ...more,
  });
const ended: ChangeBody = {
  type: 'session:turn',
  payload: { type: 'turn_complete', turnId: 't1', sessionId: 's1', status: 'completed' },
};
const failed = (errorMessage: string): ChangeBody => ({
  type: 'session:turn',
  payload: { type: 'turn_error', turnId: 't1', sessionId: 's1', errorCode: 'MODEL_ERROR', errorMessage },
});
const permission = (state: 'open' | 'answered', title: string): ChangeBody => {
  const options = [
    { optionId: 'y', name: title, kind: 'allow_once' as const },
    { optionId: 'n', name: title, kind: 'reject_once' as const },
  ];
  const request = { requestId: 'r', turnId: 't1', kind: 'tool' as const, title, options, openedAt: at };
  return { type: 'session:permission', payload: { state, request, ...(state === 'answered' && { optionId: 'y' }) } };
};

/** Every measurement in one list: its name and its arguments. */
function recorder() {
  const seen: unknown[][] = [];
  const note =
    (name: string) =>
    (...given: unknown[]): void =>
      void seen.push([name, ...given]);
  const telemetry: Pick<Telemetry, 'turn'> = {
    turn(given) {
      note('turn')(given);
      const names = ['started', 'firstToken', 'toolBegan', 'toolEnded', 'asked', 'answered', 'ended'] as const;
      return Object.fromEntries(names.map((name) => [name, note(name)])) as ReturnType<Telemetry['turn']>;
    },
  };
  const onError = (error: unknown): void => {
    throw error;
  };
  const bus = measureTurns(createMemoryBus({ newEpoch: () => 'e' }), { telemetry, agentOf: () => 'demo', onError });
  const empty = { history: () => ({}) as never, resolve: () => undefined };
  return { seen, feed: bus.open('s1', empty) };
}
const turn = ['turn', { sessionId: 's1', turnId: 't1', agent: 'demo' }];

describe('measuring turns from published changes', () => {
  it('PK-4: measures the first token, each call and request, and the end, once', () => {
    const { seen, feed } = recorder();
    feed.publish([asked, started]);
    feed.publish([permission('open', text), permission('answered', text)]);
    feed.publish([answer('con'), answer('confid')]);
    feed.publish([
      call({ toolKind: 'edit' }),
      call({ toolKind: 'edit', status: 'complete', toolOutputIsError: true }),
      call({ itemId: 'd', callId: 'd', status: 'complete' }),
    ]);
    // The end is published again once the changed files are known. The message may be too.
    feed.publish([ended, ended, asked]);
    expect(seen).toEqual([
      turn,
      ['started', 'm'],
      ['asked', 'r'],
      ['answered', 'r'],
      ['firstToken'],
      ['toolBegan', 'c', 'edit'],
      ['toolBegan', 'c', 'edit'],
      ['toolEnded', 'c', false],
      ['toolBegan', 'd', 'other'],
      ['toolEnded', 'd', true],
      ['ended', { outcome: 'completed' }],
    ]);
  });

  it('measures a turn that the agent starts by itself, and one that fails', () => {
    const { seen, feed } = recorder();
    feed.publish([started, failed(text)]);
    expect(seen).toEqual([turn, ['started', 'm'], ['ended', { outcome: 'failed', code: 'MODEL_ERROR' }]]);
  });

  it('reports an error in measuring without any other effect', () => {
    const faults: unknown[] = [];
    const turnOf = (): never => {
      throw new Error('measuring');
    };
    const bus = measureTurns(createMemoryBus({ newEpoch: () => 'e' }), {
      telemetry: { turn: turnOf },
      agentOf: () => 'demo',
      onError: (error) => faults.push(error),
    });
    const feed = bus.open('s1', { history: () => ({}) as never, resolve: () => undefined });
    expect(feed.publish([asked, started])).toHaveLength(2);
    expect(faults).toHaveLength(1);
    expect(feed.epoch).toBe('e');
  });

  it('PK-4: passes on nothing that a user or agent wrote', () => {
    const words = fc.string({ minLength: 3, maxLength: 30 }).map((word) => `§${word}§`);
    fc.assert(
      fc.property(words, fc.array(fc.nat(6), { maxLength: 12 }), (word, order) => {
        const { seen, feed } = recorder();
        const message = { ...base, type: 'message', itemId: personsItemId('t1'), origin: 'user' } as const;
        const told = [
          item({ ...message, status: 'complete', content: word }),
          answer(word),
          call({ toolName: word, title: word, toolArguments: { [word]: word }, locations: [{ path: word }] }),
          call({ status: 'error', toolOutput: word, errorMessage: word }),
          permission('open', word),
          failed(word),
          started,
        ];
        for (const at of order) feed.publish([told[at] ?? started]);
        expect(JSON.stringify(seen)).not.toContain(JSON.stringify(word).slice(1, -1));
      }),
    );
  });
});
