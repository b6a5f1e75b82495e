import type { UpsertObject } from '@liminal/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrange, insertItem, placeTurn, removeItem } from './arrange.ts';
import { message } from './testing/messages.ts';
import { type Arrangement, itemsInOrder } from './timeline.ts';

const empty = (): Arrangement => arrange([], []);
const idsOf = (arrangement: Arrangement): string[] => [...itemsInOrder(arrangement)].map((item) => item.itemId);

/** Items of five turns in sequence, each with its own order. */
const session: UpsertObject[] = Array.from({ length: 25 }, (_, order) =>
  message(`i${order}`, { turnId: `t${Math.floor(order / 5)}`, order }),
);
const anyArrival = fc.shuffledSubarray(session, { minLength: 1 });

describe('arrange', () => {
  test('sorts items and turns by order for any arrival, one by one or all at once', () => {
    fc.assert(
      fc.property(anyArrival, (arrival) => {
        const inOrder = session.filter((item) => arrival.includes(item)).map((item) => item.itemId);
        const oneByOne = empty();
        for (const item of arrival) insertItem(oneByOne, item);
        expect(idsOf(oneByOne)).toEqual(inOrder);
        expect(idsOf(arrange([], arrival))).toEqual(inOrder);
      }),
    );
  });

  test('an item listed twice appears once', () => {
    expect(idsOf(arrange([], [message('a'), message('a')]))).toEqual(['a']);
  });
});

describe('placeTurn', () => {
  test('keeps a turn without items after the turn it followed, until its first item arrives', () => {
    const arrangement = empty();
    insertItem(arrangement, message('b', { turnId: 't2', order: 20 }));
    placeTurn(arrangement, 't3');
    placeTurn(arrangement, 't4');
    expect(arrangement.turnIds).toEqual(['t2', 't3', 't4']);
    insertItem(arrangement, message('d', { turnId: 't4', order: 40 }));
    insertItem(arrangement, message('c', { turnId: 't3', order: 30 }));
    expect(arrangement.turnIds).toEqual(['t2', 't3', 't4']);
    insertItem(arrangement, message('a', { turnId: 't4', order: 10 }));
    expect(arrangement.turnIds).toEqual(['t4', 't2', 't3']);
  });
});

test('leaves the others in place when an item is removed', () => {
  const arrangement = arrange([], session);
  removeItem(arrangement, message('i7', { turnId: 't1' }));
  expect(idsOf(arrangement)).toEqual(session.map((item) => item.itemId).filter((itemId) => itemId !== 'i7'));
});
