import { describe, expect, it } from 'vitest';
import { readMessage } from './read-message.ts';

const stamp = { sessionId: 's', epoch: 'e', seq: 1 };
const base = { itemId: 't:1:0', turnId: 't', status: 'create' };
const items: readonly Record<string, unknown>[] = [
  { ...base, type: 'message', content: 'hello' },
  { ...base, type: 'thinking', content: 'hm' },
  { ...base, type: 'tool_call', toolName: 'Bash', callId: 'c', toolArguments: {} },
  { ...base, type: 'plan', entries: [{ content: 'one' }] },
];
const append = { itemId: 't:1:0', text: 'more', offset: 5 };
const read = (message: object) => readMessage(JSON.stringify(message));
const upsert = (payload: unknown, more: object = {}) => read({ type: 'session:upsert', ...stamp, payload, ...more });

describe('a socket message', () => {
  it.each(items)('is read if it has a complete $type', (item) => {
    expect(upsert(item)).toMatchObject({ payload: item });
  });

  it.each(items)('is ignored if any field of a $type is missing or has the wrong type', (item) => {
    for (const field of Object.keys(item)) {
      expect(upsert({ ...item, [field]: undefined }), `without ${field}`).toBeNull();
      expect(upsert({ ...item, [field]: 7 }), `${field} is a number`).toBeNull();
    }
  });

  it('is ignored if the entries of a plan aren’t objects, or its item has an unknown type', () => {
    expect(upsert({ ...base, type: 'plan', entries: [{}, 'x'] })).toBeNull();
    expect(upsert({ ...base, type: 'hologram', content: 'x' })).toBeNull();
    expect(upsert([])).toBeNull();
    expect(upsert(null)).toBeNull();
  });

  it('appends only with an item, a text and an offset', () => {
    const send = (payload: object) => read({ type: 'session:append', ...stamp, payload });
    expect(send(append)).toMatchObject({ payload: append });
    for (const field of Object.keys(append)) expect(send({ ...append, [field]: undefined }), field).toBeNull();
  });

  it('needs the epoch and number that a reader resumes from', () => {
    for (const field of Object.keys(stamp)) {
      expect(upsert(items[0], { [field]: undefined }), field).toBeNull();
      expect(read({ type: 'session:append', ...stamp, payload: append, [field]: undefined }), field).toBeNull();
    }
  });

  it('is ignored if it isn’t a JSON object', () => {
    expect([readMessage('{'), readMessage('[]'), readMessage('null'), readMessage(new Uint8Array(1))]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
