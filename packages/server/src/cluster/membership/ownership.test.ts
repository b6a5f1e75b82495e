import { describe, expect, it, vi } from 'vitest';
import { redisKeys } from '../redis/redis-keys.ts';
import { createOwnership } from './ownership.ts';

/** Redis gives each claim the next fencing number; sessions in `lost` belong to another node. */
function setup() {
  const own: string[] = [];
  const lost = new Map<string, string>();
  const control = { isDown: false };
  const onLost = vi.fn();
  let fence = 0;
  const ownership = createOwnership({
    membership: {
      nodeId: 'a',
      keys: redisKeys(),
      incarnation: () => 'i',
      async script(_script, _keys, args) {
        if (control.isDown) throw new Error('down');
        fence += 1;
        const asked = new Set(args.slice(3));
        return ['OK', fence, [...lost].filter(([sessionId]) => asked.has(sessionId)).flat()];
      },
    },
    own: () => own,
    onLost,
  });
  return { ownership, own, lost, control, onLost };
}

describe('fencing numbers', () => {
  it('of an earlier join are void, whether or not the sessions could be claimed again', async () => {
    const { ownership, own, control } = setup();
    own.push('s');
    await ownership.claimAll();
    expect(ownership.fenceOf('s')).toBe('1');
    await ownership.claimAll();
    expect(ownership.fenceOf('s')).toBe('2');
    control.isDown = true;
    await expect(ownership.claimAll()).rejects.toThrow('down');
    expect(ownership.fenceOf('s')).toBeUndefined();
  });

  it('end with the ownership, whether it is lost, given back or forgotten', async () => {
    const { ownership, own, lost, onLost } = setup();
    own.push('lost', 'given back', 'forgotten');
    await ownership.claimAll();
    lost.set('lost', 'b');
    expect(await ownership.claim('lost')).toBe(false);
    expect(onLost.mock.calls).toEqual([['lost', 'b']]);
    expect(ownership.ownerElsewhere('lost')).toBe('b');
    await ownership.giveBack('given back', 'b');
    ownership.forget('forgotten');
    expect(own.map(ownership.fenceOf)).toEqual([undefined, undefined, undefined]);
  });

  it('are new for a session that comes back', async () => {
    const { ownership, lost } = setup();
    lost.set('s', 'b');
    expect(await ownership.claim('s')).toBe(false);
    lost.clear();
    expect(await ownership.take('s')).toBe(true);
    expect([ownership.fenceOf('s'), ownership.ownerElsewhere('s')]).toEqual(['2', undefined]);
  });
});
