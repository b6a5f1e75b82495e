import { setImmediate as immediate } from 'node:timers/promises';
import type { SessionSummary } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { summary } from '../../bus/directory.contract.ts';
import { createMemoryDirectory } from '../../bus/directory.ts';
import type { StreamEntry } from '../redis/stream-reader.ts';
import { createRedisDirectory, type RedisDirectoryDeps } from './redis-directory.ts';

/** A directory of this node, with a list of another node that replies only when the test lets it. */
async function joined(sessions: readonly SessionSummary[], lost: ReadonlySet<string> = new Set()) {
  let hear: (entries: readonly StreamEntry[]) => void = () => {};
  let newsCount = 0;
  let replies: Promise<void> = Promise.resolve();
  const listed = sessions.flatMap((each) => [`session:${each.sessionId}`, JSON.stringify(each)]);
  const membership = {
    nodeId: 'here',
    keys: { directory: () => 'directory', news: 'news', newsCount: 'count' },
    isJoined: () => true,
    incarnation: () => '1',
    onChange: () => {},
    script: async () => ['OK'],
    async run([command]: readonly string[]) {
      if (command !== 'HGETALL') return command === 'XREVRANGE' ? [] : null;
      await replies;
      return ['listed', '1', ...listed];
    },
  };
  const nodes = {
    load: async () => ['there'],
    presenceOf: () => 'there',
    markOf: (nodeId: string) => ({ nodeId, name: nodeId, presence: 'there' }),
    view: () => ({}),
    isMissingSome: () => false,
  };
  const local = createMemoryDirectory();
  const directory = createRedisDirectory({
    local,
    membership,
    nodes,
    reader: { watch: (_key: string, _id: string, onEntries: typeof hear) => void (hear = onEntries) },
    ownProjects: () => [],
    isOurs: (sessionId: string) => !lost.has(sessionId),
    onError(error: unknown) {
      throw error;
    },
  } as unknown as RedisDirectoryDeps);
  const isCompleteBefore = directory.isComplete();
  await directory.loadOthers();
  const publish = (sessionId: string, value: SessionSummary | null): void => {
    newsCount += 1;
    const d = value ? JSON.stringify(value) : '';
    hear([{ id: `0-${newsCount}`, fields: { n: 'there', k: `session:${sessionId}`, d, c: `${newsCount}` } }]);
  };
  return {
    directory,
    local,
    isCompleteBefore,
    publish,
    /** Skips an entry of the news, so the list is loaded again. The reply waits for the returned function. */
    async loadAgain(): Promise<() => Promise<void>> {
      const reply = Promise.withResolvers<void>();
      replies = reply.promise;
      newsCount += 1;
      publish('unknown', null);
      await immediate();
      return async () => {
        reply.resolve();
        await immediate();
      };
    },
  };
}

it('keeps news that arrives while an older list is being loaded', async () => {
  const { directory, publish, loadAgain } = await joined([summary('changed', 'old'), summary('removed')]);
  expect(directory.get('changed')?.title).toBe('old');
  const reply = await loadAgain();
  publish('changed', summary('changed', 'new'));
  publish('removed', null);
  publish('added', summary('added'));
  await reply();
  expect(directory.get('changed')?.title).toBe('new');
  expect(directory.get('removed')).toBeUndefined();
  expect(directory.all().map(({ sessionId }) => sessionId)).toEqual(['changed', 'added']);
});

it('is complete once it has the lists of the other machines', async () => {
  const { directory, isCompleteBefore } = await joined([summary('there')]);
  expect([isCompleteBefore, directory.isComplete()]).toEqual([false, true]);
});

it('shows a session that another machine is taking over there, until that machine lists it or removes it', async () => {
  const lost = new Set<string>();
  const { directory, local, publish } = await joined([], lost);
  const removed: string[] = [];
  directory.follow((change) => removed.push(...change.removed));
  const shown = () => directory.all().map(({ title, node, isAlive }) => [title, node?.nodeId, isAlive]);
  local.put({ ...summary('s', 'ours'), isAlive: true });
  lost.add('s');
  directory.moved('s', 'there');
  local.remove('s');
  expect([shown(), directory.nodeOf('s'), removed]).toEqual([[['ours', 'there', false]], 'there', []]);
  publish('s', { ...summary('s', 'theirs'), isAlive: true });
  expect(shown()).toEqual([['theirs', 'there', true]]);
  publish('s', null);
  expect([shown(), directory.nodeOf('s'), removed]).toEqual([[], undefined, ['s']]);

  local.put(summary('t', 'ours'));
  lost.add('t');
  directory.moved('t', 'there');
  local.remove('t');
  lost.delete('t');
  local.put(summary('t', 'ours again'));
  expect([shown(), directory.nodeOf('t')]).toEqual([[['ours again', 'here', true]], undefined]);
});
