import { describe, expect, it, vi } from 'vitest';
import { redisKeys } from '../redis/redis-keys.ts';
import { createOwnership } from './ownership.ts';

/** Redis gives each claim the next fencing number; sessions in `lost` belong to another node, or to none if it is ''. */
function setup(kept: Readonly<Record<string, string>> = {}) {
  const own: string[] = [];
  const lost = new Map<string, string>();
  const modes: string[] = [];
  const keepLost = vi.fn();
  const control = { isDown: false };
  const onLost = vi.fn();
  const onRegained = vi.fn();
  let fence = 0;
  const ownership = createOwnership({
    membership: {
      nodeId: 'a',
      keys: redisKeys(),
      incarnation: () => 'i',
      async script(_script, _keys, args) {
        if (control.isDown) throw new Error('down');
        fence += 1;
        modes.push(`${args.slice(3).join()}: ${args[2]}`);
        const asked = new Set(args.slice(3));
        return ['OK', fence, [...lost].filter(([sessionId]) => asked.has(sessionId)).flat()];
      },
    },
    own: () => own,
    onLost,
    onRegained,
    lost: new Map(Object.entries(kept)),
    keepLost: (now) => keepLost(Object.fromEntries(now)),
  });
  return { ownership, own, lost, control, onLost, onRegained, modes, keepLost };
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
    expect(onLost.mock.calls).toEqual([['lost', 'b', true]]);
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

describe('a session that another node took over', () => {
  it('is remembered until it is ours again, so its claims can say that a missing owner is not us', async () => {
    const { ownership, own, lost, modes, keepLost } = setup();
    own.push('s');
    lost.set('s', 'b');
    await ownership.claimAll();
    expect(keepLost.mock.lastCall).toEqual([{ s: 'b' }]);
    await ownership.claimAll();
    await ownership.claim('s');
    lost.clear();
    await ownership.take('s');
    expect(modes).toEqual(['s: own', 's: regain', 's: regain', 's: take']);
    expect(keepLost.mock.lastCall).toEqual([{}]);
    await ownership.claimAll();
    expect(modes.at(-1)).toBe('s: own');
  });

  it('stays with that node after a restart, even if Redis has forgotten who owns it', async () => {
    const { ownership, own, lost, modes, onLost } = setup({ s: 'b' });
    own.push('s', 'ours');
    lost.set('s', '');
    await ownership.claimAll();
    expect(modes).toEqual(['ours: own', 's: regain']);
    expect([ownership.ownerElsewhere('s'), ownership.ownerElsewhere('ours')]).toEqual(['b', undefined]);
    expect(onLost.mock.calls).toEqual([['s', 'b', false]]);
  });

  it('is opened again when that node gives it back', async () => {
    const { ownership, own, lost, modes, onRegained } = setup();
    own.push('s', 'ours');
    lost.set('s', 'b');
    await ownership.claimAll();
    await ownership.regain();
    expect(onRegained).not.toHaveBeenCalled();
    lost.clear();
    await ownership.regain();
    await ownership.regain();
    expect(modes).toEqual(['s,ours: own', 's: regain', 's: regain']);
    expect(onRegained.mock.calls).toEqual([['s']]);
    expect([ownership.fenceOf('s'), ownership.ownerElsewhere('s')]).toEqual(['3', undefined]);
  });

  it('is forgotten when it is deleted here, and not remembered if it never was here', async () => {
    const { ownership, lost, keepLost } = setup({ s: 'b' });
    lost.set('never here', 'b');
    await ownership.take('never here');
    expect(keepLost).not.toHaveBeenCalled();
    ownership.forget('s');
    expect(keepLost.mock.lastCall).toEqual([{}]);
  });
});
