import { expect, test } from 'vitest';
import { isUuid, uuidOfTurn } from './turn-uuid.ts';

test("a turn id that is a uuid is its message's uuid; any other always maps to the same one", () => {
  expect(uuidOfTurn('0E6B1B5C-7F4F-4C64-9A0A-0123456789AB')).toBe('0e6b1b5c-7f4f-4c64-9a0a-0123456789ab');
  expect(isUuid(uuidOfTurn('turn-1'))).toBe(true);
  expect(uuidOfTurn('turn-1')).toBe(uuidOfTurn('turn-1'));
  expect(uuidOfTurn('turn-1')).not.toBe(uuidOfTurn('turn-2'));
});
