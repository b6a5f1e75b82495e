import type { TurnRecord } from '@liminal/contracts';
import { describe, expect, test } from 'vitest';
import { fold } from './fold.ts';
import { historyMessage, message, toolCall } from './testing/messages.ts';
import { createTimeline, itemsInOrder } from './timeline.ts';

const running: TurnRecord = { turnId: 't', state: 'running' };
const crash = { errorCode: 'PROCESS_CRASH', errorMessage: 'The server stopped.' };
const crashed: TurnRecord = {
  turnId: 't',
  state: 'failed',
  ended: { type: 'turn_error', turnId: 't', sessionId: 's', ...crash },
};
const said = (content: string, more: object = {}) =>
  message('t:1:0', { turnId: 't', order: 1, content, status: 'update', ...more });

/** What the page shows after it held these items of a running turn and then receives that history. */
function shown(held: Parameters<typeof fold>[1], then: Parameters<typeof fold>[1]): unknown[] {
  const timeline = createTimeline();
  fold(timeline, held);
  fold(timeline, then);
  return [...itemsInOrder(timeline)].map((item) => [item.itemId, item.status, 'content' in item ? item.content : '']);
}

describe('a turn that was cut off when the server stopped', () => {
  const held = historyMessage(5, {
    turns: [running],
    entries: [said('one two three'), message('t:2:0', { turnId: 't', order: 2, content: 'and', status: 'create' })],
  });
  const afterwards = (content: string, turn = crashed) => ({
    ...historyMessage(1, { turns: [turn], entries: [said(content, { status: 'error', ...crash })] }),
    epoch: 'e2',
  });

  test('keeps text on the page that wasn’t on disk yet', () => {
    expect(shown(held, afterwards('one two'))).toEqual([
      ['t:1:0', 'error', 'one two three'],
      ['t:2:0', 'error', 'and'],
    ]);
  });

  test('follows the server if the two disagree, and in every other turn', () => {
    expect(shown(held, afterwards('something else'))[0]).toEqual(['t:1:0', 'error', 'something else']);
    const completed: TurnRecord = { turnId: 't', state: 'completed' };
    expect(shown(held, afterwards('one two', completed))).toEqual([['t:1:0', 'error', 'one two']]);
  });

  test('keeps a call that was never written', () => {
    const call = toolCall('t:3:0', { turnId: 't', order: 3, status: 'complete' });
    const withCall = historyMessage(5, { turns: [running], entries: [said('one two'), call] });
    expect(shown(withCall, afterwards('one two')).at(-1)).toEqual(['t:3:0', 'complete', '']);
  });
});
