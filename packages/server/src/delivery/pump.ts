import type { Frame } from './frame.ts';

/** The part of a socket the pump needs. */
export type Wire = {
  /** `done` is called when the operating system has taken the frame. */
  send(frame: Frame, done?: () => void): void;
  /** Bytes sent that the network hasn't taken yet. */
  waiting(): number;
  /** Sends everything written inside `sendAll` at once: one system call per small frame costs more than the frames. */
  together?(sendAll: () => void): void;
  /** Calls back once, when all waiting bytes have been taken. */
  whenDrained?(listener: () => void): void;
};

/** One thing a socket sends, such as a session. */
export type FrameSource = {
  /** Frames that can be sent now, up to about `budgetBytes`. */
  take(budgetBytes: number): readonly Frame[];
  /** Called when the operating system has taken a frame. */
  readonly sent?: () => void;
  readonly ready: boolean;
  /** Some updates of growing items are held back, to send fewer of them. Flush them after a while. */
  readonly holding: boolean;
  flushHeld(): void;
  stop(): void;
};

export type PumpOptions = {
  /** Above this many waiting bytes the pump sends nothing more; changes coalesce in the outboxes instead. */
  readonly highWater?: number;
  /** Held updates are sent after about this long. */
  readonly heldMs?: number;
};

export type Pump = { add(source: FrameSource): void; remove(source: FrameSource): void; wake(): void; stop(): void };

const burst = 64 * 1024;

let woken: (() => void)[] = [];

/** Runs all pumps that were woken in this tick. */
function runWoken(): void {
  const pumps = woken;
  woken = [];
  for (const run of pumps) {
    try {
      run();
    } catch (error) {
      // Rethrow for the process-wide handler, without keeping the other readers waiting.
      process.nextTick(() => {
        throw error;
      });
    }
  }
}

/** Moves frames from the outboxes to one socket as fast as its reader takes them; a slow reader doesn't slow others. */
export function createPump(wire: Wire, { highWater = 1024 * 1024, heldMs = 1000 }: PumpOptions = {}): Pump {
  const sources = new Set<FrameSource>();
  let isScheduled = false;
  let heldTimer: NodeJS.Timeout | null = null;
  let stopped = false;

  // On the next tick, after pending promises: related changes are sent together, and don't wait for other sockets'
  // frames to be compressed, which the event loop would do first.
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
      // A small budget per source and round, so one busy session doesn't starve the others.
      for (const source of sources) {
        if (!source.ready) continue;
        const frames = source.take(burst);
        for (const frame of frames) wire.send(frame, source.sent);
        // A source that is `ready` but returns no frames must not block the others.
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
