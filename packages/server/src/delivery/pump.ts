import type { Frame } from './frame.ts';

/** The part of a socket the pump needs. */
export type Wire = {
  /** `done` is called when the system has taken it. */
  send(frame: Frame, done?: () => void): void;
  /** Bytes handed over that the network has not taken yet. */
  waiting(): number;
  /** What is sent within goes out together: a call of the system for each of many small frames costs more than they do. */
  together?(sendAll: () => void): void;
  /** Calls back once when everything that waits has been taken. */
  whenDrained?(listener: () => void): void;
};

/** What one socket is to send of one thing. */
export type FrameSource = {
  /** Frames that may go out now, up to about that many bytes. */
  take(budgetBytes: number): readonly Frame[];
  readonly ready: boolean;
  /** Updates of growing items wait to be thinned; let them go after an idle time. */
  readonly holding: boolean;
  flushHeld(): void;
  stop(): void;
};

export type PumpOptions = {
  /** Above this nothing more is handed over: what waits is coalesced in the outboxes instead. */
  readonly highWater?: number;
  /** After this long without news, thinned updates go out. */
  readonly heldMs?: number;
};

export type Pump = { add(source: FrameSource): void; remove(source: FrameSource): void; wake(): void; stop(): void };

const burst = 64 * 1024;

let woken: (() => void)[] = [];

/** Runs all pumps that one piece of news has woken. */
function runWoken(): void {
  const pumps = woken;
  woken = [];
  for (const run of pumps) {
    try {
      run();
    } catch (error) {
      // Meant for the one handler of what nobody expects; the other readers are not to wait for it.
      process.nextTick(() => {
        throw error;
      });
    }
  }
}

/** Moves frames from the outboxes to one socket as fast as its reader takes them; a slow reader slows nobody else. */
export function createPump(wire: Wire, { highWater = 1024 * 1024, heldMs = 1000 }: PumpOptions = {}): Pump {
  const sources = new Set<FrameSource>();
  let isScheduled = false;
  let heldTimer: NodeJS.Timeout | null = null;
  let stopped = false;

  // At the end of what runs now, promises included: what one piece of news changes goes out together, and does not wait
  // behind the compressed frames of other sockets, which the next turn of the loop would deal with first.
  const wake = () => {
    if (stopped || isScheduled) return;
    isScheduled = true;
    if (woken.push(run) === 1) process.nextTick(runWoken);
  };

  const run = () => {
    isScheduled = false;
    if (stopped) return;
    if (wire.together) wire.together(sendReady);
    else sendReady();
    watchHeld();
  };

  const sendReady = () => {
    let more = true;
    while (more && wire.waiting() < highWater) {
      more = false;
      // Round after round with a small budget each, so one busy session does not starve the others.
      for (const source of sources) {
        if (!source.ready) continue;
        const frames = source.take(burst);
        for (const frame of frames) wire.send(frame);
        // A source that has nothing to give must not hold up everything else, whatever it says of itself.
        more ||= frames.length > 0 && source.ready;
      }
    }
    if (wire.waiting() >= highWater) wire.whenDrained?.(wake);
  };

  const anyHolding = () => {
    for (const source of sources) if (source.holding) return true;
    return false;
  };

  const watchHeld = () => {
    if (heldTimer || stopped || !anyHolding()) return;
    const holding = [...sources].filter((source) => source.holding);
    heldTimer = setTimeout(() => {
      heldTimer = null;
      for (const source of holding) source.flushHeld();
      wake();
    }, heldMs);
  };

  return {
    add: (source) => void sources.add(source),
    remove: (source) => void sources.delete(source),
    wake,
    stop() {
      stopped = true;
      if (heldTimer) clearTimeout(heldTimer);
      for (const source of sources) source.stop();
      sources.clear();
    },
  };
}
