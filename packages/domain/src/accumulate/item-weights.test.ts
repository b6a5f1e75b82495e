import { describe, expect, it } from 'vitest';
import { createAccumulator } from './accumulator.ts';

const setup = () => {
  const core = createAccumulator({ sessionId: 's1', providerId: 'p1' });
  core.startTurn({ turnId: 't1', modelId: 'm' }, 0);
  return core;
};
const place = (ordinal: number) => ({ itemId: `t1:${ordinal}:0`, turnId: 't1' });
const long = 'x'.repeat(10_000);

describe('weights of open items', () => {
  it('grow with texts, outputs and arguments, emitted or not, and are freed at the end', () => {
    const core = setup();
    expect(core.heldLength()).toBe(0);
    core.startText({ ...place(1), type: 'message' }, 0);
    core.appendText('t1:1:0', long, 0);
    core.appendText('t1:1:0', 'a', 0);
    const text = core.heldLength();
    expect(text).toBeGreaterThan(10_000);
    expect(text).toBeLessThan(10_100);
    core.startCall({ ...place(2), callId: 'c1', toolName: 'run', toolArguments: { input: long } }, 0);
    core.appendOutput('c1', long, 0);
    expect(core.heldLength()).toBeGreaterThan(text + 20_000);
    core.finishText('t1:1:0', 0);
    core.finishCall('c1', { output: long }, 0);
    expect(core.heldLength()).toBe(0);
  });

  it('count only what is held now', () => {
    const core = setup();
    core.startCall({ ...place(1), callId: 'c1', toolName: 'run', toolArguments: { input: long } }, 0);
    core.updateCall('c1', { toolArguments: { input: 'short' } }, 0);
    core.setOutput('c1', long, 0);
    core.setOutput('c1', 'short', 0);
    expect(core.heldLength()).toBeLessThan(1_000);
  });

  it('stay while a call waits for a late result, and end with a failed turn', () => {
    const core = setup();
    core.startCall({ ...place(1), callId: 'c1', toolName: 'run', toolArguments: { input: long } }, 0);
    core.endTurn('t1', { status: 'completed' }, 0);
    expect(core.heldLength()).toBeGreaterThan(10_000);
    core.finishCall('c1', {}, 0);
    expect(core.heldLength()).toBe(0);
    core.startTurn({ turnId: 't2', modelId: 'm' }, 0);
    core.startCall(
      { itemId: 't2:1:0', turnId: 't2', callId: 'c2', toolName: 'run', toolArguments: { input: long } },
      0,
    );
    core.endTurn('t2', { status: 'failed', errorCode: 'X', errorMessage: 'x' }, 0);
    expect(core.heldLength()).toBe(0);
  });
});
