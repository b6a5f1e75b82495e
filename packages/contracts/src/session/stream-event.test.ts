import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readStreamEvent, StreamEvent, type StreamEventPayload } from './stream-event.ts';
import { TurnEvent } from './turn-event.ts';
import { UpsertObject } from './upsert.ts';

let count = 0;
const envelope = (payload: { type: string } & Record<string, unknown>) => ({
  eventId: `e${(count += 1)}`,
  timestamp: '2025-01-01T00:00:00.000Z',
  turnId: 't1',
  sessionId: 's1',
  type: payload.type,
  payload,
});

/** The parsed event, or the message it was rejected with. */
const read = (payload: { type: string } & Record<string, unknown>) => {
  const result = readStreamEvent(envelope(payload));
  return result.ok ? result.value : result.failure;
};
const accepts = (payload: StreamEventPayload) => expect(read(payload)).toMatchObject({ type: payload.type, payload });
const refuses = (input: unknown, ...words: string[]) => {
  const result = readStreamEvent(input);
  if (result.ok) throw new Error('should have been refused');
  expect(result.failure.code).toBe('INVALID_STREAM_EVENT');
  for (const word of words) expect(result.failure.message).toContain(word);
};

const usage = { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 2 };
const error = { code: 'MODEL_ERROR', message: 'Overloaded' };

/** One turn with a text, a thought, a call and its result. */
const turn = [
  { type: 'response_start', modelId: 'large', providerId: 'demo' },
  { type: 'item_start', itemId: 'i1', itemType: 'message' },
  { type: 'item_delta', itemId: 'i1', deltaContent: 'Hello' },
  { type: 'item_done', itemId: 'i1', finalItem: { type: 'message', content: 'Hello', origin: 'agent' } },
  { type: 'item_start', itemId: 'i2', itemType: 'function_call', name: 'read', callId: 'c1' },
  { type: 'item_delta', itemId: 'i2', deltaContent: '{"path":"a.ts"}' },
  {
    type: 'item_done',
    itemId: 'i2',
    finalItem: { type: 'function_call', name: 'read', callId: 'c1', arguments: { path: 'a.ts' } },
  },
  {
    type: 'item_done',
    itemId: 'i3',
    finalItem: { type: 'function_call_output', callId: 'c1', output: 'text', isError: false },
  },
  { type: 'response_done', status: 'completed', usage },
] satisfies StreamEventPayload[];
const readTurn = () => turn.map((payload) => StreamEvent.parse(envelope(payload)));

describe('stream events', () => {
  it('TC-1.1a: a text event validates as item_delta of a message', () => {
    accepts({ type: 'item_start', itemId: 'i1', itemType: 'message', initialContent: '' });
    accepts({ type: 'item_delta', itemId: 'i1', deltaContent: 'Hello' });
    accepts({ type: 'item_done', itemId: 'i1', finalItem: { type: 'message', content: 'Hello', origin: 'agent' } });
  });

  it('TC-1.1b: tool start, argument deltas and completion validate, with name, callId, arguments and result', () => {
    accepts({ type: 'item_start', itemId: 'i2', itemType: 'function_call', name: 'read', callId: 'c1' });
    accepts({ type: 'item_delta', itemId: 'i2', deltaContent: '{"path":' });
    const finalItem = { type: 'function_call', name: 'read', callId: 'c1', arguments: { path: 'a.ts' } } as const;
    accepts({ type: 'item_done', itemId: 'i2', finalItem });
    accepts({ type: 'item_start', itemId: 'i3', itemType: 'function_call_output', callId: 'c1' });
    const output = { type: 'function_call_output', callId: 'c1', output: 'text', isError: true } as const;
    accepts({ type: 'item_done', itemId: 'i3', finalItem: output });
  });

  it('TC-1.1b: a call needs its name and callId', () => {
    const start = { type: 'item_start', itemId: 'i2', itemType: 'function_call' };
    refuses(envelope({ ...start, callId: 'c1' }), 'name');
    refuses(envelope({ ...start, name: 'read' }), 'callId');
  });

  it('TC-1.1c: reasoning validates', () => {
    accepts({ type: 'item_start', itemId: 'i4', itemType: 'reasoning', initialContent: 'Let me see' });
    accepts({
      type: 'item_done',
      itemId: 'i4',
      finalItem: { type: 'reasoning', content: 'Let me see', providerId: 'demo' },
    });
  });

  it('TC-1.1d: response_start has turnId and modelId', () => {
    const start = { type: 'response_start', modelId: 'large', providerId: 'demo' } as const;
    expect(read(start)).toMatchObject({ turnId: 't1', payload: { modelId: 'large' } });
    refuses(envelope({ type: 'response_start', providerId: 'demo' }), 'modelId');
    const { turnId: _turnId, ...without } = envelope(start);
    refuses(without, 'turnId');
  });

  it('TC-1.1d: response_done has status, usage, finishReason, and error when the status is error', () => {
    accepts({ type: 'response_done', status: 'completed', usage, finishReason: 'end_turn' });
    accepts({ type: 'response_done', status: 'cancelled' });
    accepts({ type: 'response_done', status: 'error', error, finishReason: 'error' });
    refuses(envelope({ type: 'response_done', status: 'finished' }), 'status');
    refuses(
      envelope({ type: 'response_done', status: 'completed', usage: { inputTokens: -1, outputTokens: 0 } }),
      'inputTokens',
    );
  });

  it('TC-1.1e: item_error and response_error have code and message', () => {
    accepts({ type: 'item_error', itemId: 'i1', error });
    accepts({ type: 'response_error', error });
    refuses(envelope({ type: 'item_error', itemId: 'i1', error: { message: 'x' } }), 'code');
    refuses(envelope({ type: 'response_error', error: { code: 'X' } }), 'message');
  });

  it('TC-1.1f: a malformed event is rejected with a message that names the field', () => {
    refuses(envelope({ type: 'item_delta', itemId: 'i1' }), 'payload.deltaContent');
    refuses(envelope({ type: 'item_delta', itemId: '', deltaContent: 'x' }), 'payload.itemId');
    refuses(
      envelope({ type: 'item_done', itemId: 'i1', finalItem: { type: 'message', content: 'x' } }),
      'payload.finalItem.origin',
    );
    refuses({ ...envelope({ type: 'response_error', error }), timestamp: 'yesterday' }, 'timestamp');
    refuses({ ...envelope({ type: 'response_error', error }), type: 'item_delta' }, 'payload.type');
    refuses(envelope({ type: 'item_moved', itemId: 'i1' }), 'type');
    for (const nonsense of [null, undefined, 7, 'text', [], {}]) refuses(nonsense);
  });

  it('TC-1.2a: all events of a turn share turnId', () => {
    expect(new Set(readTurn().map((event) => event.turnId))).toEqual(new Set(['t1']));
  });

  it('TC-1.2b: all events of an item share itemId', () => {
    const ofText = readTurn().flatMap(({ payload }) =>
      'itemId' in payload && payload.itemId === 'i1' ? [payload.type] : [],
    );
    expect(ofText).toEqual(['item_start', 'item_delta', 'item_done']);
    for (const payload of turn) {
      if ('itemId' in payload) refuses(envelope({ ...payload, itemId: undefined }), 'itemId');
    }
  });

  it('TC-1.2c: call and result share callId', () => {
    const finals = readTurn().flatMap(({ payload }) => (payload.type === 'item_done' ? [payload.finalItem] : []));
    expect(finals.flatMap((item) => ('callId' in item ? [[item.type, item.callId]] : []))).toEqual([
      ['function_call', 'c1'],
      ['function_call_output', 'c1'],
    ]);
    refuses(
      envelope({
        type: 'item_done',
        itemId: 'i3',
        finalItem: { type: 'function_call_output', output: '', isError: false },
      }),
      'callId',
    );
  });
});

describe('provenance', () => {
  it('TC-1.3a: session, turn, item and tool ids and both timestamps are in the schemas', () => {
    for (const option of UpsertObject.options) {
      expect(Object.keys(option.shape)).toEqual(
        expect.arrayContaining(['sessionId', 'turnId', 'itemId', 'sourceTimestamp', 'emittedAt']),
      );
    }
    const [call] = UpsertObject.options.filter((option) => option.shape.type.value === 'tool_call');
    expect(Object.keys(call?.shape ?? {})).toContain('callId');
    for (const option of TurnEvent.options) {
      expect(Object.keys(option.shape)).toEqual(expect.arrayContaining(['sessionId', 'turnId']));
    }
  });

  const page = new URL('../../../../docs/provenance.md', import.meta.url);

  it('TC-1.3b: docs/provenance.md says what a later store derives itself, and lists the fields it can use', () => {
    expect(existsSync(page)).toBe(true);
    const [, derived = '', fields = ''] = readFileSync(page, 'utf8').split(/^## /m);
    expect(derived).toContain('derives itself');
    expect(derived).toContain('turn sequence numbers');
    expect(derived).toContain('entry types');
    for (const field of [
      'sessionId',
      'turnId',
      'itemId',
      'callId',
      'parentCallId',
      'sourceTimestamp',
      'emittedAt',
      'eventId',
    ]) {
      expect(fields).toContain(`\`${field}\``);
    }
  });

  it('TC-1.3b: no schema has the fields that a store derives', () => {
    const fields = [...UpsertObject.options, ...TurnEvent.options].flatMap((option) => Object.keys(option.shape));
    expect(fields.filter((field) => /sequence|entryType/i.test(field))).toEqual([]);
  });
});
