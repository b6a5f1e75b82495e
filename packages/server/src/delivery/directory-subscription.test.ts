import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import { DirectoryChanged, type ClusterView, type SessionSummary } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { createMemoryDirectory } from '../bus/directory.ts';
import { createDirectorySubscription } from './directory-subscription.ts';

function subscribe(view?: ClusterView) {
  const directory = createMemoryDirectory();
  directory.put(sessionSummary({ sessionId: 'a' }));
  let woken = 0;
  const subscription = createDirectorySubscription(
    { ...directory, ...(view && { view: () => view }) },
    () => void (woken += 1),
  );
  const taken = () => subscription.take(1_000_000).map((frame) => DirectoryChanged.parse(JSON.parse(String(frame))));
  return { directory, subscription, taken, woken: () => woken };
}
const titles = (changes: readonly DirectoryChanged[]) =>
  changes.map(({ sessions }) => sessions.map(({ sessionId, title }) => `${sessionId}: ${title}`));

describe('a subscription to the list of sessions', () => {
  it('sends all sessions first, even if there are none', () => {
    const { subscription, taken } = subscribe();
    expect(subscription.ready).toBe(true);
    expect(titles(taken())).toEqual([['a: Title']]);
    expect(subscription.ready).toBe(false);
    expect(createDirectorySubscription(createMemoryDirectory(), () => {}).ready).toBe(true);
  });

  it('sends a long list in several frames, the newest sessions first', async () => {
    const directory = createMemoryDirectory();
    for (let index = 0; index < 1_200; index += 1) directory.put(sessionSummary({ sessionId: `s${index}` }));
    let woken = 0;
    const subscription = createDirectorySubscription(directory, () => void (woken += 1));
    const frames: (readonly SessionSummary[])[] = [];
    const take = () => frames.push(DirectoryChanged.parse(JSON.parse(String(subscription.take(1)[0]))).sessions);
    take();
    directory.put(sessionSummary({ sessionId: 's0', title: 'changed' }));
    for (const _frame of ['second', 'third']) {
      // The next frame isn't made before this one has left and other readers had a turn.
      expect(subscription.ready).toBe(false);
      woken = 0;
      subscription.sent?.();
      expect([subscription.ready, woken]).toEqual([false, 0]);
      await expect.poll(() => woken).toBe(1);
      expect(subscription.ready).toBe(true);
      take();
    }
    expect(subscription.ready).toBe(false);
    expect(frames.map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(frames.flat().map(({ sessionId }) => sessionId)).toEqual(
      Array.from({ length: 1_200 }, (_, index) => `s${1_199 - index}`),
    );
    expect(frames.at(-1)?.at(-1)?.title).toBe('changed');
  });

  it('marks the frame that completes the list, and no other', () => {
    const { directory, taken } = subscribe();
    expect(taken().map(({ complete }) => complete)).toEqual([true]);
    directory.put(sessionSummary({ sessionId: 'b' }));
    expect(taken().map(({ complete }) => complete)).toEqual([undefined]);
    for (let index = 0; index < 600; index += 1) directory.put(sessionSummary({ sessionId: `s${index}` }));
    const long = createDirectorySubscription(directory, () => {});
    directory.remove('s0');
    directory.put(sessionSummary({ sessionId: 'later' }));
    const frames = [1, 2].map(() => DirectoryChanged.parse(JSON.parse(String(long.take(1)[0]))));
    long.stop();
    expect(frames.map(({ sessions, complete }) => [sessions.length, complete])).toEqual([
      [500, undefined],
      [102, true],
    ]);
  });

  it('completes an empty list, but none of a cluster whose other machines aren’t known yet', () => {
    const first = (isComplete: boolean) => {
      const directory = { ...createMemoryDirectory(), isComplete: () => isComplete };
      return JSON.parse(String(createDirectorySubscription(directory, () => {}).take(1)[0]));
    };
    expect(first(true)).toMatchObject({ sessions: [], complete: true });
    expect(first(false)).not.toHaveProperty('complete');
  });

  it('then sends only the newest state of changed sessions, and the ids of removed ones', () => {
    const { directory, subscription, taken, woken } = subscribe();
    taken();
    directory.put(sessionSummary({ sessionId: 'a', title: 'older' }));
    directory.put(sessionSummary({ sessionId: 'a', title: 'newer' }));
    directory.put(sessionSummary({ sessionId: 'b' }));
    directory.remove('b');
    expect([subscription.ready, woken()]).toEqual([true, 5]);
    const changes = taken();
    expect(titles(changes)).toEqual([['a: newer']]);
    expect(changes[0]?.removed).toEqual(['b']);
  });

  it('sends the state of the cluster once, and nothing after it is stopped', () => {
    const { directory, subscription, taken } = subscribe({ nodes: [] } as unknown as ClusterView);
    expect(JSON.parse(String(subscription.take(1_000_000)[0]))).toMatchObject({ cluster: { nodes: [] } });
    expect(subscription.ready).toBe(false);
    subscription.stop();
    directory.put(sessionSummary({ sessionId: 'c' }));
    expect([subscription.ready, titles(taken())]).toEqual([false, [[]]]);
  });
});
