import { ok } from '@liminal/contracts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../observe/logger.ts';
import { createSeal } from '../membership/seal.ts';
import { redisKeys } from '../redis/redis-keys.ts';
import type { RedisConnection, RedisReply } from '../redis/redis-client.ts';
import { createCommandInbox, type CommandInboxDeps } from './command-inbox.ts';
import { commandVersion } from './commands.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const seal = createSeal('secret of the cluster');

/** Node `b`, which receives commands from `a` and keeps the replies it writes. */
async function setup() {
  const replies: unknown[] = [];
  const repeat = vi.fn(async () => ok({}));
  const inbox = createCommandInbox({
    membership: {
      nodeId: 'b',
      keys: redisKeys(),
      time: () => 0,
      script: async () => 1,
      async run(args: readonly string[]) {
        if (args[0] === 'XADD') replies.push(JSON.parse(args[args.indexOf('b') + 1] ?? ''));
        return '1-0';
      },
    },
    seal,
    life: 'life',
    perform: { repeat },
    log: createLogger('silent'),
  } as unknown as CommandInboxDeps);
  let deliver: (entries: RedisReply) => void = () => {};
  const run = () => new Promise<RedisReply>((resolve) => (deliver = resolve));
  await inbox.join({ run } as unknown as RedisConnection);
  return {
    replies,
    repeat,
    async send(callId: string) {
      const [version, args] = [String(commandVersion), JSON.stringify(['s', 's:1:0'])];
      const mac = seal.sign('command', 'b', version, callId, 'a', 'repeat', args, '5000', 'life', '0');
      const fields = { v: version, id: callId, from: 'a', n: 'repeat', a: args, w: '5000', l: 'life', at: '0', m: mac };
      deliver([['commands', [['1-0', Object.entries(fields).flat()]]]]);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

it('repeats a reply for a caller that asks again soon, then forgets it, and never runs a command twice', async () => {
  const { send, replies, repeat } = await setup();
  await send('call');
  await vi.advanceTimersByTimeAsync(50_000);
  await send('call');
  expect(replies).toEqual([
    { ok: true, value: {} },
    { ok: true, value: {} },
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  await send('call');
  expect(replies.at(-1)).toMatchObject({ ok: false, failure: { code: 'NODE_UNREACHABLE' } });
  expect(repeat).toHaveBeenCalledOnce();
});
