import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGitRunner } from './run-git.ts';
import type { LaunchHandlers } from './launch/launch.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it.each([
  ['takes too long', 'took longer than 2 s', () => vi.advanceTimersByTimeAsync(2_000)],
  ['writes too much', 'too large', async (git: LaunchHandlers) => git.stdout(Buffer.alloc(11))],
])('fails when git %s, even if git never ends', async (_case, message, happen) => {
  const stop = vi.fn();
  let git: LaunchHandlers | undefined;
  const runner = createGitRunner({
    launch(_program, handlers) {
      git = handlers;
      return { stop };
    },
  });
  const ran = runner({ cwd: '/', args: ['commit'], timeoutMs: 2_000, mostBytes: 10 });
  await happen(git as LaunchHandlers);
  expect(stop).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await ran).toMatchObject({
    ok: false,
    failure: { code: 'GIT_FAILED', message: expect.stringContaining(message) },
  });
  const stops = stop.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stop).toHaveBeenCalledTimes(stops);
});
