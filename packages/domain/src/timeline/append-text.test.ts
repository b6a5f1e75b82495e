import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendText } from './append-text.ts';
import { textOf } from '../items/item-text.ts';
import { message, plan, toolCall } from './testing/messages.ts';

const open = message('i', { status: 'create', content: 'one' });

/** Includes halves of surrogate pairs: a piece may end inside one. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 60 }).map((units) => String.fromCharCode(...units));

describe('appendText', () => {
  test('adds text and marks the item as growing', () => {
    expect(appendText(open, { itemId: 'i', offset: 3, text: ' two' })).toEqual({
      ...open,
      content: 'one two',
      status: 'update',
    });
    expect(open.content).toBe('one');
  });

  test('skips text that is already there', () => {
    expect(appendText(open, { itemId: 'i', offset: 1, text: 'ne two' })).toMatchObject({ content: 'one two' });
    const grown = message('i', { status: 'update' });
    expect(appendText(grown, { itemId: 'i', offset: 0, text: 'te' })).toBe(grown);
  });

  test('returns nothing for a gap, or for a plan, which has no text', () => {
    expect(appendText(open, { itemId: 'i', offset: 4, text: 'two' })).toBeUndefined();
    expect(appendText(plan('i'), { itemId: 'i', offset: 0, text: '' })).toBeUndefined();
  });

  test('ends the item with a status, even without text', () => {
    expect(appendText(open, { itemId: 'i', offset: 3, text: '', status: 'complete' })).toEqual({
      ...open,
      status: 'complete',
    });
    const error = { status: 'error' as const, errorCode: 'MODEL_ERROR', errorMessage: 'It broke.' };
    expect(appendText(open, { itemId: 'i', offset: 3, text: '!', ...error })).toEqual({
      ...open,
      content: 'one!',
      ...error,
    });
  });

  test('starts the output of a call with the first append', () => {
    const call = toolCall('i', { status: 'update' });
    expect(appendText(call, { itemId: 'i', offset: 0, text: 'ok' })).toMatchObject({ toolOutput: 'ok' });
  });

  test('gives the text for any split into appends, with any overlap', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.tuple(fc.nat(9), fc.nat(5))), (text, cuts) => {
        let item = message('i', { status: 'create', content: '' }) as ReturnType<typeof appendText>;
        let end = 0;
        for (const [size, overlap] of [...cuts, [text.length, 0] as const]) {
          const offset = Math.max(0, end - overlap);
          end = Math.min(text.length, end + size);
          item = item && appendText(item, { itemId: 'i', offset, text: text.slice(offset, end) });
        }
        expect(item && textOf(item)).toBe(text);
      }),
    );
  });
});
