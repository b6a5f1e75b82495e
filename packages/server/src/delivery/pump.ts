import type { Subscription } from './subscription.ts';

/** The part of a socket the pump needs. */
export type Wire = {
  send(frame: string, done: () => void): void;
  /** Bytes handed over that the network has not taken yet. */
  waiting(): number;
};

export type PumpOptions = {
  /** Above this nothing more is handed over: what waits is coalesced in the outboxes instead. */
  readonly highWater?: number;
  /** After this long without news, thinned updates go out. */
  readonly heldMs?: number;
};

export type Pump = { add(subscription: Subscription): void; remove(subscription: Subscription): void; wake(): void; stop(): void };

const burst = 64 * 1024;

/** Moves frames from the outboxes to one socket as fast as its reader takes them; a slow reader slows nobody else. */
export function createPump(wire: Wire, { highWater = 1024 * 1024, heldMs = 1000 }: PumpOptions = {}): Pump {
  const subscriptions = new Set<Subscription>();
  let scheduled: NodeJS.Immediate | null = null;
  let heldTimer: NodeJS.Timeout | null = null;
  let stopped = false;

  const wake = () => {
    if (!stopped) scheduled ??= setImmediate(run);
  };

  const run = () => {
    scheduled = null;
    let more = true;
    while (more && wire.waiting() < highWater) {
      more = false;
      // Round after round with a small budget each, so that one busy session does not starve the others.
      for (const subscription of subscriptions) {
        if (!subscription.ready) continue;
        for (const frame of subscription.take(burst)) wire.send(frame, afterSend);
        more ||= subscription.ready;
      }
    }
    watchHeld();
  };

  const afterSend = () => {
    if (wire.waiting() < highWater && anyReady()) wake();
  };
  const anyReady = () => {
    for (const subscription of subscriptions) if (subscription.ready) return true;
    return false;
  };

  const watchHeld = () => {
    if (heldTimer || stopped) return;
    const holding = [...subscriptions].filter((subscription) => subscription.holding);
    if (holding.length === 0) return;
    heldTimer = setTimeout(() => {
      heldTimer = null;
      for (const subscription of holding) subscription.flushHeld();
      wake();
    }, heldMs);
  };

  return {
    add: (subscription) => void subscriptions.add(subscription),
    remove: (subscription) => void subscriptions.delete(subscription),
    wake,
    stop() {
      stopped = true;
      if (scheduled) clearImmediate(scheduled);
      if (heldTimer) clearTimeout(heldTimer);
      for (const subscription of subscriptions) subscription.stop();
      subscriptions.clear();
    },
  };
}
