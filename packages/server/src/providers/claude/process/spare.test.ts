import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SpareProcess, createSpareKeeper } from './spare.ts';

function fakeSpare(trusted: boolean) {
  const { promise: exited, resolve } = Promise.withResolvers<{ code: number; signal: null }>();
  const state = { running: true };
  const kill = vi.fn<() => Promise<void>>(async () => {
    state.running = false;
    resolve({ code: 0, signal: null });
  });
  const agent = {
    exited,
    get isRunning() {
      return state.running;
    },
  };
  return { trusted, sessionId: 's', agent, kill } as unknown as SpareProcess & { kill: typeof kill };
}

describe('keeping a spare', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = (park: Parameters<typeof createSpareKeeper>[0]['park'] = async (trusted) => fakeSpare(trusted)) => {
    const parked: SpareProcess[] = [];
    const onFailure = vi.fn<(error: unknown) => void>();
    const keeper = createSpareKeeper({
      park: async (trusted, signal) => {
        const spare = await park(trusted, signal);
        parked.push(spare);
        return spare;
      },
      delayMs: 10,
      idleMs: 1000,
      onFailure,
    });
    return { keeper, parked, onFailure };
  };

  test('starts none before it is wanted, one soon after, and hands it out once', async () => {
    const { keeper, parked } = start();
    await vi.advanceTimersByTimeAsync(100);
    expect(parked).toEqual([]);
    keeper.want(false);
    expect(keeper.take(false)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10);
    expect(keeper.take(false)).toBe(parked[0]);
    expect(keeper.take(false)).toBeUndefined();
  });

  test('keeps only one, however often it is wanted', async () => {
    const { keeper, parked } = start();
    for (let index = 0; index < 5; index += 1) {
      keeper.want(true);
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(parked).toHaveLength(1);
  });

  test('TM-7: ends one from before a sign-in, and starts another', async () => {
    const { keeper, parked } = start();
    await keeper.renew();
    keeper.want(false);
    await vi.advanceTimersByTimeAsync(10);
    await keeper.renew();
    expect(parked[0]?.agent.isRunning).toBe(false);
    expect(keeper.take(false)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10);
    expect(keeper.take(false)).toBe(parked[1]);
  });

  test('replaces it when another level of trust is used', async () => {
    const { keeper, parked } = start();
    keeper.want(false);
    await vi.advanceTimersByTimeAsync(10);
    keeper.want(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(parked.map(({ trusted }) => trusted)).toEqual([false, true]);
    expect(parked[0]?.kill).toHaveBeenCalled();
    expect(keeper.take(false)).toBeUndefined();
  });

  test("drops it after it has waited too long, and doesn't replace it until it is wanted again", async () => {
    const { keeper, parked } = start();
    keeper.want(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(parked).toHaveLength(1);
    expect(parked[0]?.kill).toHaveBeenCalledTimes(1);
    expect(keeper.isReady()).toBe(false);
    keeper.want(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(keeper.isReady()).toBe(true);
  });

  test('reports a spare that couldn’t start, without other effects', async () => {
    const { keeper, onFailure } = start(async () => Promise.reject(new Error('no')));
    keeper.want(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(onFailure).toHaveBeenCalledTimes(1);
    expect(keeper.take(false)).toBeUndefined();
  });

  test('close stops one that never becomes ready, and reports no failure', async () => {
    const { keeper, onFailure } = start(
      (_trusted, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('no')))),
    );
    keeper.want(false);
    await vi.advanceTimersByTimeAsync(10);
    await keeper.close();
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('close ends a waiting one and one that is being started', async () => {
    const { promise, resolve } = Promise.withResolvers<SpareProcess>();
    const { keeper } = start(() => promise);
    keeper.want(false);
    await vi.advanceTimersByTimeAsync(10);
    const closing = keeper.close();
    const spare = fakeSpare(false);
    resolve(spare);
    await closing;
    expect(spare.kill).toHaveBeenCalled();
    keeper.want(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(keeper.isReady()).toBe(false);
  });
});
