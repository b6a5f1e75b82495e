import { describe, expect, it } from 'vitest';
import { createAccumulator, type AccumulatorOptions } from './accumulator.ts';
import { line, summarise } from './testing/emission-summary.ts';

const create = (options: Partial<AccumulatorOptions> = {}) =>
  createAccumulator({ sessionId: 's1', providerId: 'demo', ...options });
const message = { itemId: 'm', turnId: 't1', type: 'message' } as const;
const words = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `w${from + index}`).join(' ');

describe('text items', () => {
  it('TC-5.1a: start, deltas and done give create, updates and complete, each with the full text so far', () => {
    const core = create();
    const emissions = [
      ...core.startText(message, 0),
      ...core.appendText('m', words(11), 1),
      ...core.appendText('m', ` ${words(21, 12)}`, 2),
      ...core.appendText('m', ' end', 3),
      ...core.finishText('m', 4),
    ];
    expect(emissions.map(line)).toEqual([
      `create m "${words(11)}"`,
      `update m "${words(32)}"`,
      `complete m "${words(32)} end"`,
    ]);
  });

  it('TC-5.1a: a text below the first threshold gives create, then complete', () => {
    const core = create();
    core.startText(message, 0);
    expect(core.appendText('m', 'Hello', 1)).toEqual([]);
    expect(core.finishText('m', 2).map(line)).toEqual(['create m "Hello"', 'complete m "Hello"']);
  });

  it('TC-5.1b: an emission has the full text, and separately what was appended', () => {
    const core = create({ batchGradient: [0] });
    const emissions = [
      ...core.startText({ ...message, content: 'one' }, 0),
      ...core.appendText('m', ' two', 1),
      ...core.finishText('m', 2),
    ];
    const rest = { type: 'message', turnId: 't1', itemId: 'm', origin: 'agent' };
    expect(emissions.map(summarise)).toEqual([
      { ...rest, status: 'create', content: 'one' },
      { ...rest, status: 'update', content: 'one two', appended: [3, ' two'] },
      { ...rest, status: 'complete', content: 'one two', appended: [7, ''] },
    ]);
  });

  it('TC-5.1d: reasoning becomes thinking, with its provider', () => {
    const core = create();
    core.startText({ ...message, type: 'thinking' }, 0);
    core.appendText('m', 'Hmm', 0);
    expect(core.finishText('m', 0)[1]).toMatchObject({
      upsert: { type: 'thinking', status: 'complete', content: 'Hmm', providerId: 'demo' },
    });
  });

  it('TC-5.4c: an item with no content gives one complete', () => {
    const core = create();
    core.startText(message, 0);
    core.appendText('m', '', 1);
    expect(core.finishText('m', 2).map(line)).toEqual(['complete m ""']);
  });

  it('accepts a final content that extends the appended text, emitted or not', () => {
    const core = create({ batchGradient: [1] });
    core.startText(message, 0);
    core.appendText('m', 'one two', 0);
    core.appendText('m', ' thr', 0);
    expect(core.finishText('m', 0, 'one two three').map(summarise)).toMatchObject([
      { status: 'complete', content: 'one two three', appended: [7, ' three'] },
    ]);
  });

  it.each(['', 'one', 'one too', 'another text altogether'])('keeps the appended text despite a final %j', (final) => {
    const emitted = create({ batchGradient: [0] });
    emitted.startText({ ...message, content: 'one two' }, 0);
    expect(emitted.finishText('m', 0, final).map(line)).toEqual(['complete m "one two"']);
    const unsent = create();
    unsent.startText({ ...message, content: 'one two' }, 0);
    expect(unsent.finishText('m', 0, final).map(line)).toEqual(['create m "one two"', 'complete m "one two"']);
  });

  it('corrects the origin at the end, and then doesn’t report an append', () => {
    const core = create({ batchGradient: [0] });
    core.startText({ ...message, content: 'one' }, 0);
    expect(core.finishText('m', 0, 'one', 'user').map(summarise)).toEqual([
      { type: 'message', turnId: 't1', itemId: 'm', status: 'complete', content: 'one', origin: 'user' },
    ]);
  });

  it('emits a whole message at once, including attachments', () => {
    const attachments = [{ mimeType: 'image/png', size: 3 }];
    const put = { itemId: 't1:0:0', turnId: 't1', content: words(50), origin: 'user', attachments } as const;
    const core = create();
    expect(core.putMessage(put, 0).map(summarise)).toEqual([{ type: 'message', status: 'complete', ...put }]);
    expect(core.putMessage(put, 0)).toEqual([]);
  });

  it('shows system notes after the end of a turn, and no other message', () => {
    const core = create();
    core.endTurn('t1', { status: 'completed' }, 0);
    const note = { itemId: 't1:n1:0', turnId: 't1', content: 'Compacted' } as const;
    expect(core.putMessage({ ...note, origin: 'user' }, 0)).toEqual([]);
    expect(core.putMessage({ ...note, origin: 'system' }, 0).map(line)).toEqual(['complete t1:n1:0 "Compacted"']);
  });

  it('ignores deltas and ends of items that are unknown, have ended or aren’t text', () => {
    const core = create();
    core.startCall({ itemId: 'c', turnId: 't1', callId: 'c1', toolName: 'read' }, 0);
    core.startText(message, 0);
    core.finishText('m', 0);
    for (const itemId of ['m', 'c', 'nobody']) {
      expect(core.appendText(itemId, words(50), 0)).toEqual([]);
      expect(core.finishText(itemId, 0, 'text')).toEqual([]);
    }
    expect(core.startText(message, 0)).toEqual([]);
  });
});
