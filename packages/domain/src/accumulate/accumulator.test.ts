import { describe, expect, it } from 'vitest';
import { createAccumulator, type AccumulatorOptions } from './accumulator.ts';
import { line } from './testing/emission-summary.ts';

const create = (options: Partial<AccumulatorOptions> = {}) =>
  createAccumulator({ sessionId: 's1', providerId: 'demo', ...options });
const message = { itemId: 'm', turnId: 't1', type: 'message' } as const;

/** How many tokens had been emitted after each emission, when fed one token at a time. */
function emittedAfter(tokens: number, options: Partial<AccumulatorOptions> = {}): number[] {
  const core = create(options);
  core.startText(message, 0);
  const emitted: number[] = [];
  for (let token = 1; token <= tokens; token += 1) {
    if (core.appendText('m', `w${token} `, 0).length > 0) emitted.push(token);
  }
  return emitted;
}

describe('accumulator: batching', () => {
  it('TC-5.2a TC-5.2b TC-5.2c TC-5.2e TC-5.2f: text is emitted at strictly more than 10, then 20, 40, 80, 120, 120 … tokens', () => {
    expect(emittedAfter(11 + 21 + 41 + 81 + 121 * 3)).toEqual([11, 32, 73, 154, 275, 396, 517]);
  });

  it('TC-5.2d: one large delta crossing several thresholds emits once', () => {
    const core = create();
    core.startText(message, 0);
    expect(core.appendText('m', 'word '.repeat(71), 0)).toHaveLength(1);
    expect(core.appendText('m', 'word '.repeat(80), 0)).toHaveLength(0);
    expect(core.appendText('m', 'word', 0)).toHaveLength(1);
  });

  it('TC-5.2f: the gradient is configurable', () => {
    expect(emittedAfter(12, { batchGradient: [1, 3] })).toEqual([2, 6, 10]);
  });

  it('TC-5.4b: buffered text with no new delta is emitted after the idle time, 1000 ms by default', () => {
    const core = create();
    core.startText(message, 0);
    core.appendText('m', 'one', 100);
    core.appendText('m', ' two', 600);
    expect(core.nextDue()).toBe(1600);
    expect(core.tick(1599)).toEqual([]);
    const emitted = core.tick(1600);
    expect(emitted.map(line)).toEqual(['create m "one two"']);
    expect(emitted).toMatchObject([
      { upsert: { sourceTimestamp: '1970-01-01T00:00:00.600Z', emittedAt: '1970-01-01T00:00:01.600Z' } },
    ]);
    expect(core.nextDue()).toBeNull();
    expect(core.tick(9999)).toEqual([]);
  });

  it('emits text once its oldest part has waited for the maximum latency, with or without a tick', () => {
    const core = create({ maxLatencyMs: 50 });
    core.startText(message, 0);
    for (const at of [100, 120, 140]) expect(core.appendText('m', '字', at)).toEqual([]);
    expect(core.nextDue()).toBe(150);
    expect(core.tick(150).map(line)).toEqual(['create m "字字字"']);
    core.appendText('m', '字', 160);
    expect(core.appendText('m', '字', 215).map(line)).toEqual(['update m "字字字字字"']);
  });
});

describe('accumulator: ends', () => {
  it('TC-5.4a: destroyed in mid-stream, buffered text is emitted with error, never complete', () => {
    const core = create({ batchGradient: [1] });
    core.startText({ ...message, content: 'one two' }, 0);
    core.appendText('m', ' three', 0);
    core.startText({ ...message, itemId: 'unsent', content: 'x' }, 0);
    core.startText({ ...message, itemId: 'empty' }, 0);
    core.startCall({ itemId: 'c', turnId: 't1', callId: 'c1', toolName: 'run' }, 0);
    const emissions = core.destroy(5);
    expect(emissions.map(line)).toEqual(['error m "one two three"', 'error unsent "x"', 'error c run']);
    expect(emissions).toMatchObject([
      { upsert: { errorCode: 'PROCESS_CRASH' }, appended: { appendedFrom: 7, text: ' three' } },
      {},
      {},
    ]);
  });

  it('TC-5.4a: emits nothing more once destroyed', () => {
    const core = create();
    core.startText(message, 0);
    core.destroy(0, { code: 'AGENT_UNRESPONSIVE', message: 'Silent' });
    const said = [
      core.startTurn({ turnId: 't2' }, 0),
      core.startText({ ...message, itemId: 'n', late: true }, 0),
      core.appendText('m', 'word '.repeat(99), 0),
      core.finishText('m', 0, 'text'),
      core.putMessage({ itemId: 'o', turnId: 't1', content: 'x', origin: 'system' }, 0),
      core.startCall({ itemId: 'c', turnId: 't1', callId: 'c1', toolName: 'run' }, 0),
      core.finishCall('c1', {}, 0, { itemId: 'c', turnId: 't1' }),
      core.putPlan({ itemId: 'p', turnId: 't1', entries: [] }, 0),
      core.endTurn('t1', { status: 'completed' }, 0),
      core.tick(9999),
      core.destroy(9999),
    ];
    expect(said.flat()).toEqual([]);
    expect(core.nextDue()).toBeNull();
  });

  it('TC-5.4d: a cancelled item is dropped silently, and so are all later deltas for it', () => {
    const core = create();
    core.startText({ ...message, content: 'one' }, 0);
    core.startCall({ itemId: 'c', turnId: 't1', callId: 'c1', toolName: 'run' }, 0);
    expect([...core.dropItem('m'), ...core.dropItem('c'), ...core.dropItem('nobody')]).toEqual([]);
    expect(core.nextDue()).toBeNull();
    expect([...core.appendText('m', 'two', 1), ...core.finishText('m', 2)]).toEqual([]);
    expect(core.finishCall('c1', { output: 'x' }, 2, { itemId: 'u', turnId: 't1' })).toEqual([]);
    expect(core.endTurn('t1', { status: 'completed' }, 3).map(line)).toEqual([
      'turn_started t1',
      'turn_complete t1 completed',
    ]);
  });

  it('ends a failed item with its error and keeps its text', () => {
    const core = create();
    core.startText({ ...message, content: 'one' }, 0);
    expect(core.failItem('m', { code: 'SUPERSEDED', message: 'Said again' }, 1)).toMatchObject([
      { upsert: { status: 'error', content: 'one', errorCode: 'SUPERSEDED', errorMessage: 'Said again' } },
    ]);
    expect(core.failItem('m', { code: 'SUPERSEDED', message: 'Said again' }, 1)).toEqual([]);
  });

  it('starts a turn once and ends it once', () => {
    const core = create();
    expect(core.startTurn({ turnId: 't1', modelId: 'large' }, 0).map(line)).toEqual(['turn_started t1']);
    expect(core.startTurn({ turnId: 't1' }, 0)).toEqual([]);
    expect(core.endTurn('t1', { status: 'cancelled' }, 1).map(line)).toEqual(['turn_complete t1 cancelled']);
    expect(core.endTurn('t1', { status: 'completed' }, 1)).toEqual([]);
  });

  it('opens nothing in a turn that is over, except late items', () => {
    const core = create({ batchGradient: [0] });
    core.endTurn('t1', { status: 'completed' }, 0);
    expect(core.startText({ ...message, content: 'one' }, 1)).toEqual([]);
    expect(core.startCall({ itemId: 'c', turnId: 't1', callId: 'c1', toolName: 'run' }, 1)).toEqual([]);
    const late = [
      ...core.startText({ ...message, content: 'one', late: true }, 1),
      ...core.appendText('m', ' two', 2),
      ...core.finishText('m', 3),
    ];
    expect(late.map(line)).toEqual(['create m "one"', 'update m "one two"', 'complete m "one two"']);
  });
});
