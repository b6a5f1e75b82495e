import { describe, expect, it } from 'vitest';
import { createAccumulator } from './accumulator.ts';
import { line } from './testing/emission-summary.ts';
import type { Emission } from './emission.ts';

const place = (itemId: string) => ({ itemId, turnId: 't1' });
const failed = { status: 'failed', errorCode: 'MODEL_ERROR', errorMessage: 'Overloaded' } as const;

/**
 * A turn with one of everything open: a partly emitted text, an unsent one, an empty one, a call with output, a plan.
 */
function running() {
  const core = createAccumulator({ sessionId: 's1', providerId: 'demo', batchGradient: [1] });
  core.startTurn({ turnId: 't1' }, 0);
  core.startText({ ...place('sent'), type: 'message', content: 'one two' }, 0);
  core.appendText('sent', ' three', 0);
  core.startText({ ...place('unsent'), type: 'thinking', content: 'hm' }, 0);
  core.startText({ ...place('empty'), type: 'message' }, 0);
  core.startCall({ ...place('call'), callId: 'c1', toolName: 'run' }, 0);
  core.appendOutput('c1', 'half', 0);
  core.putPlan({ ...place('plan'), entries: [] }, 0);
  return core;
}

const upsertsOf = (emissions: readonly Emission[]) =>
  emissions.flatMap((emission) => (emission.kind === 'upsert' ? [emission.upsert] : []));

describe('settle turn', () => {
  it('completes the texts and plans of a completed turn and leaves calls open for a late result', () => {
    const core = running();
    expect(core.endTurn('t1', { status: 'completed' }, 1).map(line)).toEqual([
      'complete sent "one two three"',
      'create unsent "hm"',
      'complete unsent "hm"',
      'complete empty ""',
      'update call run "half"',
      'complete plan 0 entries',
      'turn_complete t1 completed',
    ]);
    expect(core.finishCall('c1', { output: 'whole' }, 2).map(line)).toEqual(['complete call run "whole"']);
  });

  it('TC-5.4f: a failed turn ends with turn_error only, and its open items get its error and keep their text', () => {
    const core = running();
    const emissions = core.endTurn('t1', failed, 1);
    expect(emissions.map(line)).toEqual([
      'error sent "one two three"',
      'error unsent "hm"',
      'error call run "half"',
      'error plan 0 entries',
      'turn_error t1',
    ]);
    for (const upsert of upsertsOf(emissions)) {
      expect(upsert).toMatchObject({ errorCode: 'MODEL_ERROR', errorMessage: 'Overloaded' });
    }
    expect(core.finishCall('c1', { output: 'whole' }, 2)).toEqual([]);
  });

  it('TC-5.4e: only the turn event reports a cancelled turn; unsent text is emitted, items keep their status', () => {
    const core = running();
    expect(core.endTurn('t1', { status: 'cancelled' }, 1).map(line)).toEqual([
      'update sent "one two three"',
      'create unsent "hm"',
      'update call run "half"',
      'turn_complete t1 cancelled',
    ]);
    expect(core.finishCall('c1', { output: 'whole' }, 2, place('unknown'))).toEqual([]);
    expect(core.finishText('sent', 2)).toEqual([]);
    expect(core.nextDue()).toBeNull();
  });

  it('emits nothing more of a cancelled item that was already emitted', () => {
    const core = createAccumulator({ sessionId: 's1', providerId: 'demo', batchGradient: [0] });
    core.startTurn({ turnId: 't1' }, 0);
    core.startText({ ...place('sent'), type: 'message', content: 'one' }, 0);
    expect(core.endTurn('t1', { status: 'cancelled' }, 1).map(line)).toEqual(['turn_complete t1 cancelled']);
  });

  it('leaves the items of other turns alone', () => {
    const core = running();
    core.startText({ itemId: 'other', turnId: 't2', type: 'message', content: 'x' }, 0);
    core.endTurn('t1', failed, 1);
    expect(core.finishText('other', 2).map(line)).toEqual(['create other "x"', 'complete other "x"']);
  });
});
