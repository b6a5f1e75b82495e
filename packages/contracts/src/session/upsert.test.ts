import { describe, expect, it } from 'vitest';
import { UpsertObject } from './upsert.ts';

const base = {
  turnId: 't1',
  sessionId: 's1',
  itemId: 't1:1:0',
  sourceTimestamp: '2025-01-01T00:00:00.000Z',
  emittedAt: '2025-01-01T00:00:00.050Z',
  status: 'create',
};
const message = { type: 'message', ...base, content: 'Hello', origin: 'agent' };
const thinking = { type: 'thinking', ...base, content: 'Hm', providerId: 'demo' };
const call = { type: 'tool_call', ...base, toolName: 'read', toolArguments: {}, callId: 'c1' };
const plan = { type: 'plan', ...base, entries: [{ content: 'Look', status: 'in_progress', priority: 'high' }] };

/** The path of the first issue, or `accepted`. */
const verdict = (input: unknown) => {
  const parsed = UpsertObject.safeParse(input);
  return parsed.success ? 'accepted' : parsed.error.issues[0]?.path.join('.');
};

describe('upserts', () => {
  it.each([message, thinking, call, plan])('accepts a $type', (upsert) => {
    expect(UpsertObject.parse(upsert)).toEqual(upsert);
  });

  it('accepts every field of a call', () => {
    const full = {
      ...call,
      status: 'complete',
      order: 3,
      parentCallId: 'c0',
      toolArguments: { path: 'a.ts', lines: [1, 2] },
      toolOutput: 'text',
      toolOutputIsError: false,
      title: 'Read a.ts',
      toolKind: 'read',
      diffs: [{ path: 'a.ts', oldText: null, newText: 'x' }],
      locations: [{ path: 'a.ts', line: 1 }],
      awaitingPermission: false,
      durationMs: 12.5,
      toolOutputLength: 4,
    };
    expect(UpsertObject.parse(full)).toEqual(full);
  });

  it('accepts a message with attachments and an item with error details', () => {
    expect(verdict({ ...message, attachments: [{ mimeType: 'image/png', size: 3 }] })).toBe('accepted');
    expect(verdict({ ...message, status: 'error', errorCode: 'MODEL_ERROR', errorMessage: 'Overloaded' })).toBe(
      'accepted',
    );
  });

  it.each([
    ['type', { ...message, type: 'note' }],
    ['status', { ...message, status: 'done' }],
    ['origin', { ...message, origin: 'robot' }],
    ['content', { ...message, content: undefined }],
    ['itemId', { ...message, itemId: '' }],
    ['turnId', { ...message, turnId: undefined }],
    ['sourceTimestamp', { ...message, sourceTimestamp: 'noon' }],
    // Times must be UTC, without an offset.
    ['emittedAt', { ...message, emittedAt: '2025-01-01T00:00:00+01:00' }],
    ['order', { ...message, order: 1.5 }],
    ['providerId', { ...thinking, providerId: undefined }],
    ['callId', { ...call, callId: undefined }],
    ['toolArguments', { ...call, toolArguments: '{}' }],
    ['toolArguments', { ...call, toolArguments: ['a'] }],
    ['toolKind', { ...call, toolKind: 'dance' }],
    ['diffs.0.newText', { ...call, diffs: [{ path: 'a', oldText: null }] }],
    ['entries.0.status', { ...plan, entries: [{ content: 'Look', status: 'someday' }] }],
  ])('rejects a bad %s', (path, input) => {
    expect(verdict(input)).toBe(path);
  });
});
