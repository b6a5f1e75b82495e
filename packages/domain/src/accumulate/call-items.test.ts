import { describe, expect, it } from 'vitest';
import { createAccumulator, type AccumulatorOptions } from './accumulator.ts';
import { line, summarise } from './testing/emission-summary.ts';

const create = (options: Partial<AccumulatorOptions> = {}) =>
  createAccumulator({ sessionId: 's1', providerId: 'demo', ...options });
const call = { itemId: 'c', turnId: 't1', callId: 'c1', toolName: 'read' } as const;

describe('call items', () => {
  it('TC-5.1c: without announced arguments, a call is emitted when it starts and when it ends, twice in all', () => {
    const core = create({ announceArguments: false });
    const emissions = [
      ...core.startCall(call, 0),
      ...core.updateCall('c1', { toolArguments: { path: 'a.ts' } }, 1),
      ...core.appendOutput('c1', 'word '.repeat(500), 2),
      ...core.tick(10_000),
      ...core.finishCall('c1', { output: 'text', isError: false }, 3),
    ];
    expect(emissions.map(summarise)).toEqual([
      { type: 'tool_call', status: 'create', ...call, toolArguments: {} },
      {
        type: 'tool_call',
        status: 'complete',
        ...call,
        toolArguments: { path: 'a.ts' },
        toolOutput: 'text',
        toolOutputIsError: false,
      },
    ]);
  });

  it('emits arguments when they become known, and every other change', () => {
    const core = create();
    core.startCall(call, 0);
    expect(core.updateCall('c1', { toolArguments: { path: 'a.ts' }, title: 'Read a.ts' }, 1)).toMatchObject([
      { upsert: { status: 'update', toolArguments: { path: 'a.ts' }, title: 'Read a.ts' } },
    ]);
    expect(core.updateCall('c1', { title: 'Read a.ts', toolKind: undefined }, 2)).toEqual([]);
    const silent = create({ announceArguments: false });
    silent.startCall(call, 0);
    expect(silent.updateCall('c1', { awaitingPermission: true }, 1)).toHaveLength(1);
  });

  it('TC-5.3a: a result finds its call by callId and keeps its itemId and turnId, even in a later turn', () => {
    const core = create();
    core.startCall(call, 0);
    core.endTurn('t1', { status: 'completed' }, 1);
    core.startTurn({ turnId: 't2' }, 2);
    expect(core.finishCall('c1', { output: 'late' }, 3, { itemId: 't2:1:0', turnId: 't2' })).toMatchObject([
      { upsert: { status: 'complete', itemId: 'c', turnId: 't1', toolOutput: 'late' } },
    ]);
  });

  it('TC-5.3b: concurrent calls do not mix', () => {
    const core = create();
    core.startCall(call, 0);
    core.startCall({ ...call, itemId: 'd', callId: 'c2', toolName: 'write' }, 0);
    core.appendOutput('c2', 'second ', 1);
    core.appendOutput('c1', 'first ', 1);
    core.appendOutput('c2', 'output', 2);
    expect([...core.finishCall('c2', {}, 3), ...core.finishCall('c1', {}, 4)].map(line)).toEqual([
      'complete d write "second output"',
      'complete c read "first "',
    ]);
  });

  it('emits growing output in batches like any text, with the appended part', () => {
    const core = create({ batchGradient: [1] });
    core.startCall(call, 0);
    expect(core.appendOutput('c1', 'one', 1)).toEqual([]);
    expect(core.appendOutput('c1', ' two', 2)).toMatchObject([
      { upsert: { status: 'update', toolOutput: 'one two' }, appended: { appendedFrom: 0, text: 'one two' } },
    ]);
    core.appendOutput('c1', ' 3', 3);
    expect(core.nextDue()).toBe(1003);
    expect(core.tick(1003)).toMatchObject([{ appended: { appendedFrom: 7, text: ' 3' } }]);
    expect(core.finishCall('c1', { output: 'one two 3.' }, 4)).toMatchObject([
      { upsert: { status: 'complete', toolOutput: 'one two 3.' }, appended: { appendedFrom: 9, text: '.' } },
    ]);
  });

  it('doesn’t report an append if more than the output changed', () => {
    const core = create();
    core.startCall(call, 0);
    core.appendOutput('c1', 'one', 1);
    const [finished] = core.finishCall('c1', { isError: true, durationMs: 20 }, 2);
    expect(finished).toMatchObject({ upsert: { toolOutput: 'one', toolOutputIsError: true, durationMs: 20 } });
    expect(finished).not.toHaveProperty('appended');
  });

  it('replaces the whole output at once, as an append only if it is one', () => {
    const core = create();
    core.startCall(call, 0);
    expect(core.setOutput('c1', '10 %', 1).map(summarise)).toMatchObject([
      { toolOutput: '10 %', appended: [0, '10 %'] },
    ]);
    expect(core.setOutput('c1', '10 %', 2)).toEqual([]);
    expect(core.setOutput('c1', '10 % 20 %', 3).map(summarise)).toMatchObject([{ appended: [4, ' 20 %'] }]);
    const [shortened] = core.setOutput('c1', 'done', 4);
    expect(shortened).toMatchObject({ upsert: { status: 'update', toolOutput: 'done' } });
    expect(shortened).not.toHaveProperty('appended');
  });

  it('shows a result for an unseen call as one completed call named unknown', () => {
    const core = create();
    const place = { itemId: 't1:2:0', turnId: 't1' };
    expect(core.knowsCall('c9')).toBe(false);
    expect(core.finishCall('c9', { output: 'text' }, 0)).toEqual([]);
    expect(core.finishCall('c9', { output: 'text' }, 0, place).map(summarise)).toEqual([
      {
        type: 'tool_call',
        status: 'complete',
        ...place,
        callId: 'c9',
        toolName: 'unknown',
        toolArguments: {},
        toolOutput: 'text',
      },
    ]);
    expect(core.knowsCall('c9')).toBe(true);
  });

  it('ignores a second start and a second result', () => {
    const core = create();
    core.startCall(call, 0);
    expect(core.startCall({ ...call, itemId: 'other' }, 0)).toEqual([]);
    core.finishCall('c1', { output: 'first' }, 1);
    expect(core.finishCall('c1', { output: 'second' }, 2, { itemId: 'x', turnId: 't1' })).toEqual([]);
    expect(core.updateCall('c1', { title: 'late' }, 2)).toEqual([]);
    expect(core.appendOutput('c1', 'late', 2)).toEqual([]);
    expect(core.setOutput('c1', 'late', 2)).toEqual([]);
    expect(core.startCall(call, 2)).toEqual([]);
  });

  it('fails a call by its callId and keeps its output', () => {
    const core = create();
    core.startCall(call, 0);
    core.appendOutput('c1', 'half', 1);
    expect(core.failCall('c1', { code: 'MODEL_ERROR', message: 'Broke off' }, 2)).toMatchObject([
      { upsert: { status: 'error', toolOutput: 'half', errorCode: 'MODEL_ERROR' } },
    ]);
    expect(core.failCall('c1', { code: 'MODEL_ERROR', message: 'Again' }, 2)).toEqual([]);
  });
});
