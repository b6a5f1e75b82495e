import { expect, test } from 'vitest';
import { isEnded, textOf, withText } from './item-text.ts';
import { message, plan, thinking, toolCall } from '../timeline/testing/messages.ts';

test.each([
  ['a message', message('a', { content: 'x' }), 'x'],
  ['a thought', thinking('a', { content: 'x' }), 'x'],
  ['the output of a call', toolCall('a', { toolOutput: 'x' }), 'x'],
  ['a call without output', toolCall('a'), ''],
])('the text of %s', (_, item, text) => {
  expect(textOf(item)).toBe(text);
  expect(textOf(withText(item, 'y'))).toBe('y');
  expect(textOf(item)).toBe(text);
});

test('a plan has no text', () => {
  const item = plan('a');
  expect(textOf(item)).toBe('');
  expect(withText(item, 'y')).toBe(item);
});

test('ends with complete or error', () => {
  const ended = (['create', 'update', 'complete', 'error'] as const).map((status) => isEnded(message('a', { status })));
  expect(ended).toEqual([false, false, true, true]);
});
