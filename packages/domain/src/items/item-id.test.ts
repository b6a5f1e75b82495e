import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSteeringItem, makeItemId, noteItemId, personsItemId, turnOfItem } from './item-id.ts';

const number = fc.nat({ max: 9_999 });

describe('ids of items', () => {
  it('contain their turn id, even if it has colons', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), number, number, (turnId, message, place) => {
        expect(turnOfItem(makeItemId(turnId, message, place))).toBe(turnId);
        expect(turnOfItem(noteItemId(turnId, place))).toBe(turnId);
      }),
    );
  });

  it('never collide: notes and messages are numbered separately', () => {
    fc.assert(
      fc.property(fc.string(), number, number, (turnId, message, place) => {
        expect(makeItemId(turnId, message, place)).not.toBe(noteItemId(turnId, message));
      }),
    );
  });

  it('distinguish a steering message from the one that started its turn and from the agent’s', () => {
    expect(
      [personsItemId('t'), personsItemId('t', 1), makeItemId('t', 1, 1), noteItemId('t', 1)].map(isSteeringItem),
    ).toEqual([false, true, false, false]);
  });
});
