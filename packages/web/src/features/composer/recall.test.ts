import { expect, it } from 'vitest';
import { recallStep } from './recall.ts';

const said = () => ['one', 'two'];

it('moves back and forth through earlier messages, from an empty field', () => {
  const first = recallStep(null, '', 'older', said);
  expect(first?.text).toBe('two');
  const second = recallStep(first!.recall, 'two', 'older', said);
  expect(second?.text).toBe('one');
  expect(recallStep(second!.recall, 'one', 'older', said)?.text).toBe('one');
  const back = recallStep(second!.recall, 'one', 'newer', said);
  expect(back?.text).toBe('two');
  expect(recallStep(back!.recall, 'two', 'newer', said)).toEqual({ recall: null, text: '' });
});

it('ignores the arrow keys while the user is writing', () => {
  expect(recallStep(null, 'draft', 'older', said)).toBeNull();
  expect(recallStep(null, '', 'newer', said)).toBeNull();
  const first = recallStep(null, '', 'older', said);
  expect(recallStep(first!.recall, 'two, changed', 'older', said)).toBeNull();
  expect(recallStep(null, '', 'older', () => [])).toBeNull();
});
