import type { ItemStatus, MessageUpsert, ToolCallUpsert } from '@liminal/contracts';
import { describe, expect, test } from 'vitest';
import { appendPayload, isAppend, joinAppend, startAppend } from './append-encoding.ts';
import type { ItemBody } from './change.ts';

const at = '2026-01-01T00:00:00.000Z';
const base = { turnId: 't', sessionId: 's', itemId: 't:1:0', sourceTimestamp: at, emittedAt: at };
const message = (status: ItemStatus): MessageUpsert => ({
  type: 'message',
  ...base,
  status,
  content: 'hello',
  origin: 'agent',
});
const call: ToolCallUpsert = {
  type: 'tool_call',
  ...base,
  status: 'complete',
  toolName: 'Bash',
  toolArguments: {},
  callId: 'c',
};

describe('isAppend', () => {
  const appended = { appendedFrom: 3, text: 'lo' };

  test('is true only for text that the accumulator appended, and never for the first state', () => {
    expect(isAppend({ type: 'session:upsert', payload: message('update'), appended })).toBe(true);
    expect(isAppend({ type: 'session:upsert', payload: message('complete'), appended })).toBe(true);
    expect(isAppend({ type: 'session:upsert', payload: message('update') })).toBe(false);
    expect(isAppend({ type: 'session:upsert', payload: message('create'), appended })).toBe(false);
    expect(isAppend({ type: 'session:info', payload: {} })).toBe(false);
  });

  test('sends an output that started empty in full', () => {
    const payload = { ...call, toolOutput: '' };
    expect(isAppend({ type: 'session:upsert', payload, appended: { appendedFrom: 0, text: '' } })).toBe(false);
  });
});

test('joins consecutive pieces and rejects others', () => {
  const pending = startAppend({ appendedFrom: 3, text: 'lo' });
  expect(joinAppend(pending, { appendedFrom: 5, text: ' you' })).toBe(true);
  expect(joinAppend(pending, { appendedFrom: 8, text: '!' })).toBe(false);
  const body: ItemBody = { type: 'session:upsert', payload: message('update') };
  expect(appendPayload(body, pending)).toEqual({ itemId: 't:1:0', offset: 3, text: 'lo you' });
});

test('sends the status with an append that ends an item', () => {
  const payload = { ...message('error'), errorCode: 'MODEL_ERROR', errorMessage: 'It broke.' };
  expect(appendPayload({ type: 'session:upsert', payload }, startAppend({ appendedFrom: 5, text: '' }))).toEqual({
    itemId: 't:1:0',
    offset: 5,
    text: '',
    status: 'error',
    errorCode: 'MODEL_ERROR',
    errorMessage: 'It broke.',
  });
});
