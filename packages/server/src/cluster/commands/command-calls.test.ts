import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSeal } from '../membership/seal.ts';
import { redisKeys } from '../redis/redis-keys.ts';
import type { StreamEntry } from '../redis/stream-reader.ts';
import { createCommandCalls } from './command-calls.ts';

const takeMs = 100;
const answerMs = 1_000;
const seal = createSeal('secret of the cluster');
const done = JSON.stringify({ ok: true, value: 'done' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Node `a` calls node `b`. `removed` is how many waiting commands Redis says it removed. */
async function setup() {
  const control: { removed: number } = { removed: 0 };
  const callIds: string[] = [];
  const cleared: string[] = [];
  let receive: (entries: readonly StreamEntry[]) => void = () => {};
  const calls = createCommandCalls({
    membership: {
      nodeId: 'a',
      keys: redisKeys(),
      standing: () => ({ state: 'joined' }),
      time: () => 0,
      async run(args) {
        const isOwn = args[1] === redisKeys().inbox('a');
        if (isOwn) cleared.push(args.toSpliced(1, 1).join(' '));
        if (isOwn) return 0;
        if (args[0] === 'XDEL') return control.removed;
        callIds.push(args[args.indexOf('id') + 1] ?? '');
        return `${callIds.length}-0`;
      },
    },
    nodes: { nameOf: () => 'The other machine', presenceOf: () => 'there', lifeOf: () => 'life' },
    reader: {
      watch(_key, _fromId, onEntries) {
        receive = onEntries;
        return () => {};
      },
    },
    seal,
    takeMs,
    answerMs,
  });
  await calls.join();
  const result = calls.call('b', 'repeat', 's', 's:1:0');
  await vi.advanceTimersByTimeAsync(0);
  const reply = (mac: string, body = done, callId = callIds[0] ?? '') =>
    receive([{ id: '1-0', fields: { t: 'reply', id: callId, b: body, m: mac } }]);
  return { calls, control, callIds, cleared, result, reply };
}

describe('a reply from another machine', () => {
  it('is accepted only with the cluster’s signature for this machine, call and content', async () => {
    const { callIds, result, reply } = await setup();
    const [callId = ''] = callIds;
    const forged = JSON.stringify({ ok: true, value: 'forged' });
    reply('', forged);
    reply(createSeal('another secret').sign('reply', 'a', callId, forged), forged);
    reply(seal.sign('reply', 'b', callId, forged), forged);
    reply(seal.sign('reply', 'a', 'another call', forged), forged);
    reply(seal.sign('reply', 'a', callId, done), forged);
    reply(seal.sign('reply', 'a', callId, done));
    expect(await result).toEqual({ ok: true, value: 'done' });
  });
});

describe('the inbox in Redis', () => {
  it('keeps no reply that was heard or that nobody waits for', async () => {
    const { calls, callIds, cleared, result, reply } = await setup();
    expect(cleared).toEqual(['XTRIM MAXLEN 0']);
    reply(seal.sign('reply', 'a', callIds[0] ?? '', done));
    await result;
    expect(cleared.slice(1)).toEqual(['XDEL 1-0']);
    const waiting = calls.call('b', 'repeat', 's', 's:1:0');
    await calls.join();
    // The reply to a command that waits may be there already.
    expect(cleared.slice(2)).toEqual([]);
    await vi.advanceTimersByTimeAsync(takeMs + answerMs);
    await waiting;
  });
});

describe('a command that nobody answered in time', () => {
  const failure = (message: RegExp) => ({
    ok: false,
    failure: { code: 'NODE_UNREACHABLE', message: expect.stringMatching(message) as string },
  });

  it('was not done if it was withdrawn before anyone took it', async () => {
    const { control, result } = await setup();
    control.removed = 1;
    await vi.advanceTimersByTimeAsync(takeMs);
    expect(await result).toMatchObject(failure(/Nothing was done/));
  });

  it('may have been done if only the second request was withdrawn', async () => {
    const { calls, control, callIds, result } = await setup();
    await calls.join();
    expect(callIds).toEqual([callIds[0], callIds[0]]);
    control.removed = 1;
    await vi.advanceTimersByTimeAsync(takeMs);
    expect(await result).toMatchObject(failure(/may or may not have been carried out/));
  });

  it('gets more time once it was taken, and may have been done after that', async () => {
    const { result } = await setup();
    const settled = vi.fn();
    void result.then(settled);
    await vi.advanceTimersByTimeAsync(takeMs + answerMs - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject(failure(/didn't respond.*may or may not have been carried out/));
  });
});
