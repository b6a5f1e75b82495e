import { fail, ok, type Result } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import { answerOnce } from './attempt.ts';

describe('answerOnce', () => {
  it('acts once per id, even while the first answer is pending', async () => {
    const act = vi.fn(async (): Promise<Result<number>> => ok(act.mock.calls.length));
    const once = answerOnce<number>(10);
    expect(await Promise.all([once('a', act), once('a', act), once('b', act)])).toEqual([ok(1), ok(1), ok(2)]);
    expect(await once('a', act)).toEqual(ok(1));
    expect(act).toHaveBeenCalledTimes(2);
  });

  it('acts every time without an id, after a failure, and for ids older than those it keeps', async () => {
    const once = answerOnce<number>(1);
    const act = vi.fn(async (): Promise<Result<number>> => ok(1));
    await once(undefined, act);
    await once(undefined, act);
    expect(act).toHaveBeenCalledTimes(2);
    await once('failed', async () => fail('SESSION_CREATE_FAILED', 'No.'));
    await expect(once('failed', () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    expect(await once('failed', act)).toEqual(ok(1));
    await once('newer', act);
    await once('failed', act);
    expect(act).toHaveBeenCalledTimes(5);
  });
});
