import { describe, expect, it } from 'vitest';
import type { MessageUpsert, TurnEvent } from '@liminal/contracts';
import { isoTime } from '../../time/iso-time.ts';
import type { Emission } from '../emission.ts';
import { createEmissionReader } from './emission-invariants.ts';

const messageUpsert: MessageUpsert = {
  type: 'message',
  turnId: 't1',
  sessionId: 's1',
  itemId: 't1:1:0',
  sourceTimestamp: isoTime(0),
  emittedAt: isoTime(0),
  status: 'create',
  content: 'one',
  origin: 'agent',
};
const message = (fields: Partial<MessageUpsert>, appended?: { appendedFrom: number; text: string }): Emission => ({
  kind: 'upsert',
  upsert: { ...messageUpsert, ...fields },
  ...(appended && { appended }),
});
const call = (itemId: string, status: 'create' | 'complete' = 'create'): Emission => {
  const { content: _content, origin: _origin, ...rest } = messageUpsert;
  return {
    kind: 'upsert',
    upsert: {
      ...rest,
      type: 'tool_call',
      itemId,
      status,
      callId: 'c1',
      toolName: 'run',
      toolArguments: {},
    },
  };
};
const turn = (event: TurnEvent): Emission => ({ kind: 'turn', event });
const started = turn({ type: 'turn_started', turnId: 't1', sessionId: 's1', modelId: 'm', providerId: 'p' });
const ended = turn({ type: 'turn_complete', turnId: 't1', sessionId: 's1', status: 'completed' });

const problemsOf = (...emissions: Emission[]) => {
  const reader = createEmissionReader();
  reader.read(emissions);
  return reader.problems.join('; ');
};

describe('emission invariants', () => {
  it('accepts an item that starts, grows and ends inside its turn', () => {
    expect(
      problemsOf(
        started,
        message({}),
        message({ status: 'update', content: 'one two' }, { appendedFrom: 3, text: ' two' }),
        message({ status: 'complete', content: 'one two' }, { appendedFrom: 7, text: '' }),
        ended,
      ),
    ).toBe('');
  });

  it('lets a call reuse the id of one that has ended, or whose turn has', () => {
    expect(problemsOf(call('a', 'complete'), call('b'))).toBe('');
    const again = call('t2:1:0');
    const later = again.kind === 'upsert' ? { ...again, upsert: { ...again.upsert, turnId: 't2' } } : again;
    expect(problemsOf(started, call('a'), ended, later)).toBe('');
  });

  it.each([
    ['created twice', [message({}), message({ status: 'create' }, { appendedFrom: 3, text: '' })]],
    ['first emitted as an update', [message({ status: 'update' })]],
    ['emitted after its end', [message({ status: 'complete' }), message({ status: 'error' })]],
    ['shrank', [message({}), message({ status: 'update', content: 'on' })]],
    ['does not say what was appended', [message({}), message({ status: 'update', content: 'one two' })]],
    ['appended to nothing', [message({}, { appendedFrom: 0, text: 'one' })]],
    ['appended at the wrong place', [message({}), message({ content: 'one!' }, { appendedFrom: 2, text: '!' })]],
    ['appended text does not give', [message({}), message({ content: 'one!' }, { appendedFrom: 3, text: '?' })]],
    ['more than its text changed', [message({}), message({ origin: 'user' }, { appendedFrom: 3, text: '' })]],
    ['error details do not fit', [message({ errorCode: 'X' })]],
    ['emitted after the end of its turn', [started, ended, message({})]],
    ['call c1 already has item a', [call('a'), call('b')]],
    ['started twice', [started, started]],
    ['ended before it started', [ended]],
    ['after the terminal', [started, ended, ended]],
    ['does not validate', [message({ emittedAt: 'yesterday' })]],
  ])('reports: %s', (problem, emissions) => {
    expect(problemsOf(...emissions)).toContain(problem);
  });
});
