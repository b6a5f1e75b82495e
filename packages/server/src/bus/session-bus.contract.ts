import type { Change } from '@liminal/domain/delivery/change';
import { describe, expect, it } from 'vitest';
import { emptyHistory as history, keepingReader as reader, textChange as item } from '../testing/session-samples.ts';
import type { SessionBus } from './session-bus.ts';

const contents = (changes: readonly Change[]) =>
  changes.map(({ body }) =>
    body.type === 'session:upsert' && body.payload.type === 'message' ? body.payload.content : body.type,
  );

export type MadeBus = {
  readonly bus: SessionBus;
  /** Waits until everything opened and published so far has arrived. */
  settle(): Promise<void>;
};

/**
 * Every bus, in memory or networked, passes this one suite. A bus may skip states that were replaced before they
 * arrived and send only the newest.
 */
export function sessionBusContract(name: string, create: () => MadeBus | Promise<MadeBus>) {
  describe(`session bus: ${name}`, () => {
    const open = async () => {
      const made = await create();
      const feed = made.bus.open('s', { history: () => history, resolve: () => undefined });
      await made.settle();
      return { ...made, feed };
    };

    it('starts a reader without a cursor from a history, even an empty one', async () => {
      const { bus, settle } = await open();
      const one = reader();
      bus.follow('s', undefined, one.follower);
      await settle();
      expect(one.starts).toMatchObject([{ verdict: 'fresh', seq: 0, history }]);
    });

    it('has nothing to follow when no machine owns the session', async () => {
      expect((await create()).bus.follow('none', undefined, reader().follower)).toBeNull();
    });

    it('sends every reader every change, numbered and in order', async () => {
      const { bus, feed, settle } = await open();
      const readers = [reader(), reader()];
      for (const one of readers) bus.follow('s', undefined, one.follower);
      await settle();
      feed.publish([item('a', '1'), item('b', '2')]);
      await settle();
      feed.publish([item('a', '3')]);
      await settle();
      for (const one of readers) {
        expect(contents(one.changes)).toEqual(['1', '2', '3']);
        expect(one.changes.map((change) => change.seq)).toEqual([1, 2, 3]);
      }
    });

    it('catches a reader with a cursor up: the newest state of each thing that changed, once', async () => {
      const { bus, feed, settle } = await open();
      const first = reader();
      bus.follow('s', undefined, first.follower);
      await settle();
      const epoch = first.starts[0]?.epoch ?? '';
      feed.publish([item('a', '1'), item('b', '2'), item('a', '3')]);
      await settle();
      const late = reader();
      bus.follow('s', { epoch, seq: 1 }, late.follower);
      await settle();
      const [start] = late.starts;
      expect(start).toMatchObject({ verdict: 'ok', epoch, seq: 3 });
      expect(start?.verdict === 'ok' && contents(start.changes)).toEqual(['2', '3']);
    });

    it.each([
      ['another epoch', (epoch: string) => ({ epoch: `${epoch}x`, seq: 0 })],
      ['a number that was never issued', (epoch: string) => ({ epoch, seq: 99 })],
    ])('answers a cursor of %s with a gap and a history', async (_name, cursorOf) => {
      const { bus, settle } = await open();
      const first = reader();
      bus.follow('s', undefined, first.follower);
      await settle();
      const late = reader();
      bus.follow('s', cursorOf(first.starts[0]?.epoch ?? ''), late.follower);
      await settle();
      expect(late.starts).toMatchObject([{ verdict: 'gap', history }]);
    });

    it('makes readers fetch a history when the numbering starts over', async () => {
      const { bus, feed, settle } = await open();
      const one = reader();
      bus.follow('s', undefined, one.follower);
      await settle();
      feed.renew();
      await settle();
      expect(one.renewals()).toBe(1);
      const again = reader();
      bus.follow('s', { epoch: one.starts[0]?.epoch ?? '', seq: 0 }, again.follower);
      await settle();
      expect(again.starts).toMatchObject([{ verdict: 'gap' }]);
    });

    it('sends nothing more to a reader who has left', async () => {
      const { bus, feed, settle } = await open();
      const one = reader();
      const leave = bus.follow('s', undefined, one.follower);
      leave?.();
      feed.publish([item('a', '1')]);
      await settle();
      expect(one.changes).toEqual([]);
    });

    it('restarts a failing reader without disturbing the publisher or the others', async () => {
      const { bus, feed, settle } = await open();
      const [failing, other] = [reader(), reader()];
      failing.follower.changed = () => {
        throw new Error('reader failed');
      };
      for (const one of [failing, other]) bus.follow('s', undefined, one.follower);
      await settle();
      feed.publish([item('a', '1')]);
      await settle();
      expect(contents(other.changes)).toEqual(['1']);
      expect(failing.renewals()).toBe(1);
    });

    it('repeats an item whole, under a new number', async () => {
      const { bus, feed, settle } = await open();
      const one = reader();
      bus.follow('s', undefined, one.follower);
      await settle();
      feed.publish([item('a', '1')]);
      await settle();
      expect(bus.repeat('s', 'a')).toBe(true);
      expect(bus.repeat('s', 'none')).toBe(false);
      await settle();
      expect(contents(one.changes)).toEqual(['1', '1']);
      expect(one.changes.map((change) => change.seq)).toEqual([1, 2]);
    });
  });
}
