import { itemKey, type Change } from '@liminal/domain/delivery/change';
import { createLedger, type Ledger } from '@liminal/domain/delivery/ledger';
import type { CatchUp, FeedSource, Follower, SessionBus } from '../session-bus.ts';
import type { Cursor } from '@liminal/contracts';

type Channel = { ledger: Ledger; readonly source: FeedSource; readonly followers: Set<Follower> };

export type MemoryBusDeps = { readonly newEpoch: () => string; readonly onError?: (error: unknown) => void };

/** The bus of one machine. It calls followers synchronously while publishing, so no change can be lost in between. */
export function createMemoryBus(deps: MemoryBusDeps): SessionBus {
  const channels = new Map<string, Channel>();

  const notifyAll = (channel: Channel, changes: readonly Change[]) => {
    for (const follower of channel.followers) {
      try {
        follower.changed(changes);
      } catch (error) {
        // A failing reader must not affect the publisher or other readers.
        deps.onError?.(error);
        follower.renewed();
      }
    }
  };

  return {
    open(sessionId, source) {
      const channel: Channel = { ledger: createLedger(deps.newEpoch()), source, followers: new Set() };
      channels.set(sessionId, channel);
      const sendBack = () => {
        for (const follower of channel.followers) follower.renewed();
      };
      return {
        get epoch() {
          return channel.ledger.epoch;
        },
        followers: () => channel.followers.size,
        publish(bodies) {
          const changes = bodies.map((body) => channel.ledger.record(body));
          if (changes.length > 0) notifyAll(channel, changes);
          return changes;
        },
        newest: (key) => channel.ledger.newest(key)?.body,
        release: (key) => channel.ledger.release(key),
        renew() {
          channel.ledger = createLedger(deps.newEpoch());
          sendBack();
        },
        close() {
          if (channels.get(sessionId) === channel) channels.delete(sessionId);
          sendBack();
          channel.followers.clear();
        },
      };
    },
    follow(sessionId, cursor, follower) {
      const channel = channels.get(sessionId);
      if (!channel) return null;
      follower.caughtUp(catchUp(channel, cursor));
      channel.followers.add(follower);
      return () => void channel.followers.delete(follower);
    },
    repeat(sessionId, itemId) {
      const channel = channels.get(sessionId);
      const change = channel?.ledger.repeat(itemKey(itemId), (key) => channel.source.resolve(key));
      if (channel && change) notifyAll(channel, [change]);
      return change !== undefined;
    },
  };
}

function catchUp({ ledger, source }: Channel, cursor: Cursor | undefined): CatchUp {
  const stand = { epoch: ledger.epoch, seq: ledger.seq };
  if (!cursor) return { ...stand, verdict: 'fresh', history: source.history() };
  const changes = cursor.epoch === ledger.epoch ? ledger.changesSince(cursor.seq, (key) => source.resolve(key)) : null;
  return changes ? { ...stand, verdict: 'ok', changes } : { ...stand, verdict: 'gap', history: source.history() };
}
