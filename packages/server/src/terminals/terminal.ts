import { ackEveryBytes, encodeFrameHead } from '@liminal/domain/terminal/output-frame';
import { createOutputRing } from './output-ring.ts';
import type { Pty, PtyExit, PtySize } from './pty/pty.ts';

/** One browser that watches a terminal. */
export type TerminalReader = {
  state(state: ReaderState): void;
  /** A frame in two parts; the second is a view that is valid only during the call. */
  output(head: Uint8Array, output: Uint8Array): void;
  exit(exit: PtyExit): void;
};

export type ReaderState = PtySize & {
  readonly offset: number;
  readonly end: number;
  readonly running: boolean;
  readonly answers: boolean;
};

export type Attachment = {
  /** The reader has shown everything before this offset. */
  ack(offset: number): void;
  /** False if the program doesn't accept it. */
  input(data: string): boolean;
  detach(): void;
};

export type Terminal = {
  readonly size: PtySize;
  /** Null while the program runs. */
  readonly exit: PtyExit | null;
  readonly readers: number;
  /** Follows from the reader's offset, or from the oldest output kept. */
  attach(reader: TerminalReader, offset?: number): Attachment;
  resize(size: PtySize): void;
  kill(): Promise<void>;
};

export type TerminalOptions = {
  readonly terminalId: string;
  readonly pty: Pty;
  readonly size: PtySize;
  readonly onChanged: () => void;
  readonly limits?: Partial<TerminalLimits>;
};

export type TerminalLimits = typeof usualLimits;

const usualLimits = {
  keepBytes: 512 * 1024,
  /** How much a reader gets before it must acknowledge it. */
  windowBytes: 256 * 1024,
  frameBytes: 64 * 1024,
  gatherMs: 4,
  /** A reader that shows nothing for this long, as in a hidden tab, no longer blocks the program. */
  stalledMs: 3_000,
  /** How much a program may print before a pause if no reader limits it. */
  unreadBytes: 256 * 1024,
  restMs: 50,
};

type Place = {
  readonly reader: TerminalReader;
  sent: number;
  acked: number;
  isStalled: boolean;
  hasExit: boolean;
};

const alternateScreen = /\[\?(?:47|1047|1049)h/;
/** Long enough for a program to notice one size before the next. */
const redrawMs = 60;

/** One running program with its recent output and its readers. The program is as fast as the fastest reader. */
export function createTerminal({ terminalId, pty, size: firstSize, onChanged, limits }: TerminalOptions): Terminal {
  const { keepBytes, windowBytes, frameBytes, gatherMs, stalledMs, unreadBytes, restMs } = {
    ...usualLimits,
    ...limits,
  };
  const owedBytes = Math.min(ackEveryBytes, windowBytes / 4);
  const ring = createOutputRing(keepBytes);
  const places = new Set<Place>();
  let size = firstSize;
  let exit: PtyExit | null = null;
  let isEnding = false;
  let isPaused = false;
  let gathering: NodeJS.Timeout | null = null;
  let stalling: NodeJS.Timeout | null = null;
  let resting: NodeJS.Timeout | null = null;
  let unread = 0;
  let gathered = 0;
  let typist: Place | null = null;
  let answering: Place | null = null;

  const stateFor = (place: Place): void =>
    place.reader.state({
      ...size,
      offset: place.sent,
      end: ring.end,
      running: exit === null,
      answers: place === answering,
    });

  const sendFrame = (place: Place, kind: 'output' | 'modes', output: Uint8Array): void =>
    place.reader.output(encodeFrameHead({ kind, terminalId, offset: place.sent }), output);

  /** Starts a reader over: it has nothing yet, or its next output is gone. */
  const startOver = (place: Place): void => {
    place.sent = ring.replayFrom();
    place.acked = place.sent;
    stateFor(place);
    const modes = ring.modes();
    if (modes === '') return;
    sendFrame(place, 'modes', Buffer.from(modes, 'latin1'));
    // A full-screen program redraws when its size changes.
    if (!alternateScreen.test(modes) || size.rows < 3) return;
    pty.resize({ cols: size.cols, rows: size.rows - 1 });
    setTimeout(() => pty.resize(size), redrawMs).unref();
  };

  const send = (place: Place): void => {
    if (place.sent < ring.start) {
      // Send no more to a slow reader.
      if (place.sent - place.acked > owedBytes) return;
      startOver(place);
    }
    while (place.sent < ring.end && place.sent - place.acked < windowBytes) {
      const output = ring.read(place.sent, frameBytes);
      sendFrame(place, 'output', output);
      place.sent += output.length;
    }
    if (!exit || place.hasExit || place.sent < ring.end) return;
    place.hasExit = true;
    place.reader.exit(exit);
  };

  const chooseAnswering = (): void => {
    const able = [...places].filter((place) => !place.isStalled);
    const chosen =
      typist && able.includes(typist) ? typist : (able.find((place) => place === answering) ?? able[0] ?? null);
    if (chosen === answering) return;
    const changed = [answering, chosen];
    answering = chosen;
    for (const place of changed) if (place && places.has(place)) stateFor(place);
  };

  const setPaused = (paused: boolean): void => {
    if (paused === isPaused) return;
    isPaused = paused;
    if (paused) pty.output.pause();
    else pty.output.resume();
  };

  /** No reader shows anything, so stop waiting for acknowledgements. */
  const giveUpWaiting = (): void => {
    stalling = null;
    for (const place of places) if (place.sent > place.acked) place.isStalled = true;
    chooseAnswering();
    regulate();
  };

  const regulate = (): void => {
    const watching = [...places].filter((place) => !place.isStalled);
    if (isEnding || watching.length === 0) {
      if (stalling) clearTimeout(stalling);
      stalling = null;
      return setPaused(resting !== null);
    }
    const ahead = ring.end - Math.max(...watching.map((place) => place.acked));
    if (ahead < windowBytes / 2) setPaused(false);
    else if (ahead >= windowBytes) setPaused(true);
    if (!isPaused) {
      if (stalling) clearTimeout(stalling);
      stalling = null;
    } else stalling ??= setTimeout(giveUpWaiting, stalledMs);
  };

  const rest = (bytes: number): void => {
    unread = [...places].some((place) => !place.isStalled) ? 0 : unread + bytes;
    if (unread < unreadBytes || isEnding || resting) return;
    unread = 0;
    resting = setTimeout(() => {
      resting = null;
      regulate();
    }, restMs);
  };

  const flush = (): void => {
    gathered = 0;
    for (const place of places) send(place);
    regulate();
  };

  /**
   * Sends the first output after a pause at once, so keystrokes echo immediately. Then gathers output until a frame is
   * full or some time has passed.
   */
  const gather = (bytes: number): void => {
    gathered += bytes;
    if (gathering && gathered < frameBytes) return;
    flush();
    if (gathering) return;
    gathering = setTimeout(() => {
      gathering = null;
      flush();
    }, gatherMs);
  };

  pty.output.on('data', (bytes: Buffer) => {
    ring.push(bytes);
    rest(bytes.length);
    gather(bytes.length);
  });
  void pty.exited.then((ended) => {
    exit = ended;
    for (const timer of [gathering, stalling, resting]) if (timer) clearTimeout(timer);
    flush();
    onChanged();
  });

  return {
    get size() {
      return size;
    },
    get exit() {
      return exit;
    },
    get readers() {
      return places.size;
    },
    attach(reader, offset) {
      const place: Place = { reader, sent: 0, acked: 0, isStalled: false, hasExit: false };
      places.add(place);
      if (!answering) answering = place;
      if (offset === undefined || offset < ring.start || offset > ring.end) startOver(place);
      else {
        place.sent = place.acked = offset;
        stateFor(place);
      }
      send(place);
      regulate();
      return {
        ack(shown) {
          const wasHeldUp = place.sent - place.acked >= windowBytes || place.sent < ring.start;
          place.acked = Math.max(place.acked, Math.min(shown, place.sent));
          place.isStalled = false;
          // Let output gather: sending on every ack would make short frames, and each frame costs an ack.
          if (wasHeldUp || !gathering) send(place);
          chooseAnswering();
          regulate();
        },
        input(data) {
          typist = place;
          chooseAnswering();
          return pty.write(data);
        },
        detach() {
          places.delete(place);
          if (typist === place) typist = null;
          chooseAnswering();
          regulate();
        },
      };
    },
    resize(next) {
      if (exit || (next.cols === size.cols && next.rows === size.rows)) return;
      size = { cols: next.cols, rows: next.rows };
      pty.resize(size);
      for (const place of places) stateFor(place);
    },
    async kill() {
      isEnding = true;
      if (resting) clearTimeout(resting);
      resting = null;
      regulate();
      await pty.kill();
    },
  };
}
